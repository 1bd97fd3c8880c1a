import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it, vi } from "vitest";
import { drawPage } from "@/shared/testing/render";
import { JoinFleet } from "./join-fleet";
import type { AssessmentDetail, JoinedHost } from "./types";

const GROUPS = [{ id: 4, parent_id: null, name: "PROD", path: "4/", mode_effective: "observe" }];
const idOf = (number: number) => String(number).repeat(32).slice(0, 32);

/** An assessment with this many hosts, and the server that adds each but the second. */
async function opened(hosts: number) {
  const bodies: { group_id: number; assessed_ids: number[]; with_unsure: boolean }[] = [];
  const all = Array.from({ length: hosts }, (_, at) => ({ id: at + 1, name: `esx-${at + 1}` }));
  const assessment = { id: 9, host_count: hosts, hosts: all.slice(0, 50) } as AssessmentDetail;
  vi.spyOn(globalThis, "fetch").mockImplementation(async (sent) => {
    const request = sent as Request;
    if (request.method === "GET") return Response.json(request.url.includes("/groups") ? GROUPS : { ...assessment, hosts: all });
    const body = await request.json();
    bodies.push(body);
    const told: JoinedHost[] = body.assessed_ids.map((id: number) =>
      id === 2
        ? { assessed_id: id, name: "esx-2", outcome: "left_out", words: "It checks in by itself.", host_id: null }
        : { assessed_id: id, name: `esx-${id}`, outcome: "added", words: "", host_id: idOf(id) },
    );
    return Response.json(told);
  });
  drawPage(<JoinFleet assessment={assessment} shown={1} />);
  await userEvent.click(await screen.findByRole("button", { name: "Add to fleet…" }));
  const dialog = within(await screen.findByRole("dialog"));
  await userEvent.click(dialog.getByRole("combobox", { name: "Group" }));
  await userEvent.click(await screen.findByRole("option", { name: "PROD" }));
  return { bodies, dialog };
}

it("adds the host whose report is shown, and links to it", async () => {
  const { bodies, dialog } = await opened(3);
  await userEvent.click(dialog.getByRole("button", { name: "Add to fleet" }));
  const link = await screen.findByRole("link", { name: "esx-1" });
  expect(link.getAttribute("href")).toBe(`/hosts/${idOf(1)}`);
  expect(bodies).toEqual([{ group_id: 4, assessed_ids: [1], with_unsure: false }]);
});

it("adds all of a large bundle some at a time, and says which were left out and why", async () => {
  const { bodies, dialog } = await opened(52);
  await userEvent.click(dialog.getByRole("radio", { name: "All 52 hosts in this bundle" }));
  await userEvent.click(dialog.getByRole("checkbox"));
  await userEvent.click(dialog.getByRole("button", { name: "Add to fleet" }));
  await waitFor(() => expect(screen.getByText("51 hosts added")).toBeInTheDocument());
  expect(screen.getByText("1 host left out")).toBeInTheDocument();
  expect(screen.getByText("It checks in by itself.")).toBeInTheDocument();
  expect(bodies.map((body) => body.assessed_ids.length)).toEqual([20, 20, 12]);
  expect(bodies.every((body) => body.with_unsure)).toBe(true);
});
