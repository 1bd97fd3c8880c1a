import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, expect, it, vi } from "vitest";
import { drawPage } from "@/shared/testing/render";
import { LabBadge } from "./lab-badge";

const location = window.location;
afterEach(() => void vi.stubGlobal("location", location));

/** A lab whose server is gone for a while after the request, and then starts again, empty. */
function server(reason: string) {
  const asked: string[] = [];
  vi.spyOn(globalThis, "fetch").mockImplementation(async (sent) => {
    const request = sent as Request;
    asked.push(`${request.method} ${new URL(request.url).pathname}`);
    const setups = asked.filter((each) => each.endsWith("/setup")).length;
    if (request.method === "POST") return Response.json({ setup_code: "abcd-efgh" }, { status: 202 });
    if (request.url.endsWith("/lab")) return Response.json({ simulated_hosts: 33, reason });
    if (setups === 2) throw new TypeError("connection refused");
    return Response.json({ needs_setup: setups > 2, is_demo: setups < 2, provider: null, has_cookie: true });
  });
  return asked;
}

it("removes the lab with one button, waits while the server is gone, and goes to set-up with the code", async () => {
  const asked = server("");
  const assign = vi.fn();
  vi.stubGlobal("location", { href: location.href, origin: location.origin, pathname: "/", assign });
  drawPage(<LabBadge canRemove />);
  await userEvent.click(await screen.findByRole("button", { name: "Lab fleet…" }));
  const dialog = within(await screen.findByRole("dialog"));
  expect(await dialog.findByText(/deletes the 33 simulated hosts/)).toBeInTheDocument();
  await userEvent.click(dialog.getByRole("button", { name: "Remove lab" }));
  expect(await screen.findByText("abcd-efgh")).toBeInTheDocument();
  expect(screen.queryByRole("button", { name: "Close" })).not.toBeInTheDocument();
  await waitFor(() => expect(assign).toHaveBeenCalledWith("/setup?code=abcd-efgh"), { timeout: 8000 });
  expect(asked.filter((each) => each === "POST /api/v1/lab/remove")).toHaveLength(1);
}, 15_000);

it("does not offer to remove a lab that hosts of one's own are in, and says why", async () => {
  server("1 host here is not simulated: our-esx-01.");
  drawPage(<LabBadge canRemove />);
  await userEvent.click(await screen.findByRole("button", { name: "Lab fleet…" }));
  expect(await screen.findByText("1 host here is not simulated: our-esx-01.")).toBeInTheDocument();
  expect(screen.getByRole("button", { name: "Remove lab" })).toBeDisabled();
});

it("is only a mark for those who may not remove it", async () => {
  server("");
  drawPage(<LabBadge canRemove={false} />);
  expect(await screen.findByText("Lab fleet")).toBeInTheDocument();
  expect(screen.queryByRole("button")).not.toBeInTheDocument();
});
