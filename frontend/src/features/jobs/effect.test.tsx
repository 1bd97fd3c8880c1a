import { screen } from "@testing-library/react";
import { expect, it } from "vitest";
import type { CounterEffect } from "@/entities/proof/types";
import { drawPage } from "@/shared/testing/render";
import { Windows } from "./effect";

const counter = (name: string, answer: CounterEffect["answer"]): CounterEffect => ({
  name,
  label: name,
  unit: "1/s",
  is_lower_better: true,
  answer,
  before: 9.38,
  after: 2,
  controls: 0,
  controls_before: null,
  controls_after: null,
  load_before: null,
  load_after: null,
  difference: null,
  low: null,
  high: null,
});

async function drawn(counters: CounterEffect[]) {
  const effect = {
    job_id: 7,
    host: { id: "1", name: "hv-01" },
    started_at: null,
    finished_at: null,
    controls: [],
    controls_from: "" as const,
    proof_ids: [],
    windows: [{ hours: 1, is_over: true, counters }],
  };
  drawPage(<Windows effect={effect} />);
  await screen.findByRole("heading", { name: /An hour before and after/ });
}

it("says once that no counter has enough samples, in place of a table", async () => {
  await drawn([counter("Drops", "too_few_samples"), counter("Pauses", "too_few_samples")]);
  expect(screen.getAllByText(/Cannot tell/)).toHaveLength(1);
  expect(screen.queryByRole("table")).not.toBeInTheDocument();
});

it("keeps the table where one counter has an answer", async () => {
  await drawn([counter("Drops", "better"), counter("Pauses", "too_few_samples")]);
  expect(screen.getByRole("table")).toHaveTextContent("Better");
  expect(screen.getByRole("table")).toHaveTextContent("Cannot tell: too few samples");
});
