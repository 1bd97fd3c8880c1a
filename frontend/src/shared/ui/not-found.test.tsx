import { screen } from "@testing-library/react";
import { expect, it } from "vitest";
import { drawPage } from "@/shared/testing/render";
import { NotFound } from "./not-found";

it("says once that the thing is not there, and leads to the others", async () => {
  drawPage(<NotFound what="proof" title="Proof not found" to="/benchmarks" />);
  expect(await screen.findByRole("heading", { level: 1, name: "Proof not found" })).toBeInTheDocument();
  expect(screen.getAllByText("Proof not found")).toHaveLength(1);
  expect(screen.getByRole("link", { name: "View all proofs" })).toBeInTheDocument();
});
