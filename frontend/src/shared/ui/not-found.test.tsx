import { createMemoryHistory, createRootRoute, createRoute, createRouter, RouterProvider } from "@tanstack/react-router";
import { screen } from "@testing-library/react";
import { expect, it } from "vitest";
import { draw } from "@/shared/testing/render";
import { NotFound } from "./not-found";

it("says once that the thing is not there, and leads to the others", async () => {
  const root = createRootRoute();
  const page = createRoute({
    getParentRoute: () => root,
    path: "/",
    component: () => <NotFound what="proof" title="Proof not found" to="/benchmarks" />,
  });
  draw(<RouterProvider router={createRouter({ routeTree: root.addChildren([page]), history: createMemoryHistory() })} />);
  expect(await screen.findByRole("heading", { level: 1, name: "Proof not found" })).toBeInTheDocument();
  expect(screen.getAllByText("Proof not found")).toHaveLength(1);
  expect(screen.getByRole("link", { name: "View all proofs" })).toBeInTheDocument();
});
