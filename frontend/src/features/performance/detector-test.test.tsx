import { screen, within } from "@testing-library/react";
import { expect, it, vi } from "vitest";
import { drawPage } from "@/shared/testing/render";
import { DetectorTest } from "./detector-test";

const figure = (about: object) => ({
  name: "drops",
  label: "Dropped packets",
  unit: "%",
  limit: 0.001,
  alarms: 0,
  open_now: 0,
  unexplained: 0,
  unexplained_a_week: 0,
  after_one_hour: 0,
  after_three_hours: 0,
  ...about,
});

const answer = (body: object) =>
  vi
    .spyOn(globalThis, "fetch")
    .mockImplementation(() =>
      Promise.resolve(Response.json({ since: "2026-11-01T12:00:00Z", hosts: 31, most_hosts: null, figures: [], unexplained: [], ...body })),
    );

it("has each symptom's alarms, and leads from an unexplained one to its host's charts of that time", async () => {
  answer({
    figures: [figure({ alarms: 6, open_now: 2, unexplained: 1, unexplained_a_week: 0.25, after_one_hour: 40, after_three_hours: 5 })],
    unexplained: [
      {
        host: { id: "0a".repeat(16), name: "fs-02" },
        label: "Dropped packets",
        began: "2026-11-03T02:00:00Z",
        ended: "2026-11-03T09:00:00Z",
      },
    ],
  });
  drawPage(<DetectorTest group={undefined} />);
  const row = within(await screen.findByRole("table", { name: "Alarms by symptom" })).getByRole("row", { name: /Dropped packets/ });
  expect(
    within(row)
      .getAllByRole("cell")
      .map((cell) => cell.textContent),
  ).toEqual(["0.001%", "6", "2", "1", "0.3", "40", "5"]);
  const link = screen.getByRole("link", { name: "fs-02" });
  const search = new URL(link.getAttribute("href") ?? "", "http://x").searchParams;
  expect([search.get("from"), search.get("to")].map((at) => at?.replaceAll('"', ""))).toEqual([
    "2026-11-02T20:00:00Z",
    "2026-11-03T15:00:00Z",
  ]);
});

it("says that not all hosts were looked at, and where there is nothing to look at", async () => {
  answer({ most_hosts: 200 });
  const { unmount } = drawPage(<DetectorTest group={3} />);
  expect(await screen.findByText(/the first 200/)).toBeVisible();
  unmount();
  answer({ hosts: 0 });
  drawPage(<DetectorTest group={undefined} />);
  expect(await screen.findByText("No counters yet")).toBeVisible();
});
