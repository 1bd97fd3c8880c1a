import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { createMemoryHistory, createRootRoute, createRoute, createRouter, RouterProvider } from "@tanstack/react-router";
import { screen } from "@testing-library/react";
import { expect, it, vi } from "vitest";
import type { PlanChecklist } from "@/entities/plan/types";
import { draw } from "@/shared/testing/render";
import { Checklists } from "./left-out";

vi.hoisted(() => {
  // A browser resolves "/api/…" against the page; Node's Request takes whole addresses only.
  const Whole = globalThis.Request;
  globalThis.Request = class extends Whole {
    constructor(input: RequestInfo | URL, init?: RequestInit) {
      super(typeof input === "string" ? new URL(input, "http://localhost") : input, init);
    }
  };
});

const checklist = (host: string): PlanChecklist =>
  ({
    host,
    host_name: host,
    because: "it is the array's software",
    steps: ["Install MEM 1.2 or later."],
    findings: [{ host, pack: "dell-esxi55", rule: "esxi55.mem", subject_kind: "host", subject_id: "" }],
  }) as PlanChecklist;

async function drawn(...checklists: PlanChecklist[]) {
  const asked = vi
    .spyOn(globalThis, "fetch")
    .mockResolvedValue(Response.json({ items: [{ pack: "dell-esxi55", rule: "esxi55.mem", title: "EqualLogic MEM version" }] }));
  const root = createRootRoute();
  const page = createRoute({
    getParentRoute: () => root,
    path: "/",
    component: () => (
      <main>
        <Checklists checklists={checklists} />
      </main>
    ),
  });
  draw(
    <QueryClientProvider client={new QueryClient()}>
      <RouterProvider router={createRouter({ routeTree: root.addChildren([page]), history: createMemoryHistory() })} />
    </QueryClientProvider>,
  );
  await screen.findByRole("main");
  return asked;
}

it("names the rule of a manual step by its title, once for all hosts that need it", async () => {
  await drawn(checklist("esx-01"), checklist("esx-02"));
  const steps = screen.getByRole("region", { name: "Manual steps" });
  expect(await screen.findByRole("link", { name: "EqualLogic MEM version" })).toBeVisible();
  expect(steps).not.toHaveTextContent("esxi55.mem");
  expect(screen.getByText("Install MEM 1.2 or later.")).toBeVisible();
});

it("asks for nothing where there is no manual step", async () => {
  const asked = await drawn();
  expect(asked).not.toHaveBeenCalled();
  expect(screen.queryByRole("region")).not.toBeInTheDocument();
});
