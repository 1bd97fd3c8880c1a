import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { fireEvent, screen, waitFor } from "@testing-library/react";
import { afterEach, expect, it, vi } from "vitest";
import { sessionKey } from "@/shared/api/client";
import { draw } from "@/shared/testing/render";
import { CsvDownload } from "./csv-download";

const asked: string[] = [];

function shown(mayExport: boolean, answer: () => Response) {
  const client = new QueryClient();
  client.setQueryData(sessionKey, { can: { export: mayExport } });
  vi.spyOn(globalThis, "fetch").mockImplementation((address) => {
    asked.push(String(address));
    return Promise.resolve(answer());
  });
  draw(
    <QueryClientProvider client={client}>
      <CsvDownload table="hosts.csv" about="these hosts" filters={{ platform: ["esxi", "windows"], q: undefined, sort: "name" }} />
    </QueryClientProvider>,
  );
}

afterEach(() => {
  asked.length = 0;
});

it("asks for the table under the filters of the list, and keeps it under the server's name", async () => {
  const names: string[] = [];
  URL.createObjectURL = () => "blob:x";
  URL.revokeObjectURL = () => undefined;
  vi.spyOn(HTMLAnchorElement.prototype, "click").mockImplementation(function (this: HTMLAnchorElement) {
    names.push(this.download);
  });
  shown(true, () => new Response("a", { headers: { "content-disposition": 'attachment; filename="plumbline-hosts.csv"' } }));
  fireEvent.click(screen.getByRole("button", { name: "Export these hosts as CSV" }));
  await waitFor(() => expect(names).toEqual(["plumbline-hosts.csv"]));
  expect(asked).toEqual(["/api/v1/exports/hosts.csv?platform=esxi&platform=windows&sort=name"]);
});

it("says why who may not export cannot, and asks for nothing", () => {
  shown(false, () => new Response(null, { status: 403 }));
  const button = screen.getByRole("button", {
    name: /Export these hosts as CSV \(not allowed\)\. Exporting needs the viewer role/,
  });
  expect(button.getAttribute("aria-disabled")).toBe("true");
  fireEvent.click(button);
  expect(asked).toEqual([]);
});
