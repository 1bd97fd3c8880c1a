import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it, vi } from "vitest";
import type { HostDetail } from "@/entities/host/types";
import { draw } from "@/shared/testing/render";
import { HostMenu } from "./host-menu";
import { type StateAct, stateActsOf } from "./state-acts";

const ADMIN = { enrol: true, manage_hosts: true };
const OPERATOR = { hold_hosts: true };

const makeHost = (about: Partial<HostDetail> = {}) =>
  ({ id: "0a".repeat(16), name: "sql-01", state: "active", alarm: "", hold: null, ...about }) as HostDetail;

function shown(host: HostDetail, can: Parameters<typeof stateActsOf>[1]) {
  const requests: Request[] = [];
  vi.spyOn(globalThis, "fetch").mockImplementation((sent) => {
    requests.push(sent as Request);
    return Promise.resolve(Response.json({}));
  });
  draw(
    <QueryClientProvider client={new QueryClient()}>
      <HostMenu host={host} can={can} />
    </QueryClientProvider>,
  );
  return requests;
}

async function open(item: string) {
  await userEvent.click(screen.getByRole("button", { name: "More actions" }));
  await userEvent.click(await screen.findByRole("menuitem", { name: item }));
}

it.each<[string, Partial<HostDetail>, Parameters<typeof stateActsOf>[1], StateAct[]]>([
  ["an admin, an active host", {}, ADMIN, ["rotate_secret", "quarantine"]],
  [
    "an admin, a quarantined host with an alarm",
    { state: "quarantined", alarm: "a copy" },
    ADMIN,
    ["clear_alarm", "rotate_secret", "release"],
  ],
  ["an admin, a retired host", { state: "retired" }, ADMIN, []],
  ["an operator, a host with an alarm", { alarm: "a copy" }, OPERATOR, ["clear_alarm"]],
  ["an operator, a host without", {}, OPERATOR, []],
  ["a viewer", { alarm: "a copy" }, {}, []],
])("offers what the right and the state allow: %s", (_, about, can, acts) => {
  expect(stateActsOf(makeHost(about), can)).toEqual(acts);
});

it("quarantines a host only with a reason, and sends it", async () => {
  const requests = shown(makeHost(), ADMIN);
  await open("Quarantine…");
  const button = await screen.findByRole("button", { name: "Quarantine host" });
  expect(button).toBeDisabled();
  expect(screen.getByText("Enter a reason")).toBeInTheDocument();
  await userEvent.type(screen.getByLabelText("Reason"), "its secret was stolen");
  await userEvent.click(button);
  await waitFor(() => expect(requests).toHaveLength(1));
  expect(new URL(requests[0]?.url ?? "").pathname).toBe(`/api/v1/hosts/${"0a".repeat(16)}/quarantine`);
  expect(await requests[0]?.json()).toEqual({ reason: "its secret was stolen" });
});

it("rotates the secret without asking for a reason", async () => {
  const requests = shown(makeHost(), ADMIN);
  await open("Rotate secret");
  await userEvent.click(await screen.findByRole("button", { name: "Rotate secret" }));
  await waitFor(() => expect(requests).toHaveLength(1));
  expect(new URL(requests[0]?.url ?? "").pathname).toBe(`/api/v1/hosts/${"0a".repeat(16)}/rotate-secret`);
});

it("shows the alarm that is cleared", async () => {
  shown(makeHost({ alarm: "boot names alternate" }), OPERATOR);
  await open("Clear alarm");
  expect(await screen.findByText("boot names alternate")).toBeInTheDocument();
});
