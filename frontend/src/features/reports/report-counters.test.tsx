import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it } from "vitest";
import { drawPage } from "@/shared/testing/render";
import { type FrozenCounters, frozenReport } from "./frozen";
import { ReportCounters } from "./report-counters";

const figure = (name: string, label: string, about: object = {}) => ({
  name,
  label,
  unit: "%",
  limit: 0.11,
  limit_source: "Dell BP1057 §4.2.4",
  highest: 0.4,
  mean_words: "0.1%",
  highest_words: "0.4%",
  ...about,
});

const COUNTERS: FrozenCounters = {
  from: "2026-11-17T10:00:00Z",
  to: "2026-11-17T14:00:00Z",
  step_hours: 1,
  places: 4,
  figures: [figure("retransmits", "TCP retransmits"), figure("errors", "Packets with errors", { highest: 0 })],
  // The hour at place 2 has no readings.
  steps: [
    { place: 0, at: "2026-11-17T10:00:00Z", retransmits: 0.4, errors: 0 },
    { place: 1, at: "2026-11-17T11:00:00Z", retransmits: 0.01, errors: 0 },
    { place: 3, at: "2026-11-17T13:00:00Z", retransmits: null, errors: 0 },
  ],
  words: "",
};

it("draws what there was of the period, and a gap where nothing is known", async () => {
  drawPage(<ReportCounters counters={COUNTERS} />);
  const chart = await screen.findByRole("region", { name: "TCP retransmits" });
  expect(chart).toHaveTextContent("mean 0.1%, highest 0.4%");
  expect(await screen.findByText(/0\.11%: Limit of a symptom \(Dell BP1057 §4\.2\.4\)/)).toBeVisible();
  expect(screen.queryByRole("region", { name: "Packets with errors" })).not.toBeInTheDocument();
  await userEvent.click(within(chart).getByRole("button", { name: "More for TCP retransmits" }));
  await userEvent.click(await screen.findByRole("menuitem", { name: "Show table" }));
  // The newest first.
  const rows = within(await within(chart).findByRole("table"))
    .getAllByRole("row")
    .slice(1);
  expect(rows.map((row) => within(row).getAllByRole("cell").at(-1)?.textContent)).toEqual(["–", "–", "0.01%", "0.4%"]);
});

it("says why there is nothing to draw, and takes reports of before", async () => {
  drawPage(<ReportCounters counters={{ ...COUNTERS, figures: [], steps: [], words: "No host sent counters in this period." }} />);
  expect(await screen.findByText("No host sent counters in this period.")).toBeVisible();
  expect(frozenReport.shape.counters.safeParse(undefined).success).toBe(true);
});
