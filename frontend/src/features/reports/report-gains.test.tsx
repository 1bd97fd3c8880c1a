import { screen, within } from "@testing-library/react";
import { expect, it } from "vitest";
import { draw } from "@/shared/testing/render";
import type { FrozenGains } from "./frozen";
import { Gains } from "./report-gains";

const row = {
  what: "Flow control is on for receive",
  jobs: 12,
  hosts: 9,
  counter: "TCP retransmits",
  change_words: "0.38% to 0.01%",
  controls_words: "0.4% to 0.41%",
  better: 5,
  worse: 1,
  no_effect: 3,
  cannot_tell: 3,
};
const gains = (about: Partial<FrozenGains>): FrozenGains => ({
  jobs: 12,
  jobs_read: 12,
  words: ["Said."],
  rows: [row],
  proofs: [],
  ...about,
});

it("counts what is no gain beside what is one", () => {
  draw(<Gains gains={gains({})} />);
  const line = within(screen.getByRole("table", { name: "Gains by counters" })).getAllByRole("row")[1];
  expect(line).toHaveTextContent("0.38% to 0.01%");
  expect(line).toHaveTextContent("5 better, 1 worse, 3 unchanged, 3 unknown");
});

it("says how many jobs were read, and that an earlier version has none", () => {
  draw(<Gains gains={gains({ jobs: 120, jobs_read: 40 })} />);
  expect(screen.getByText(/The newest 40 of 120 jobs were read/)).toBeInTheDocument();
  draw(<Gains gains={undefined} />);
  expect(screen.getByText("Not in this report")).toBeInTheDocument();
});

it("says in words that nothing was measured", () => {
  draw(<Gains gains={gains({ rows: [], words: ["No job changed a host."] })} />);
  expect(screen.getByText("No job changed a host.")).toBeInTheDocument();
});
