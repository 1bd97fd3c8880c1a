import { expect, it } from "vitest";
import { pictureOf } from "./save-picture";

const TEXT = {
  title: "Retransmits <sql-01>",
  subtitle: "48 h",
  lines: [{ label: "sql-01 & sql-02", stroke: "var(--series-1)", dash: "0" }],
  notes: ["Each point is the mean of 15 minutes."],
};

it("writes a file that needs no stylesheet and escapes names", () => {
  document.documentElement.style.setProperty("--series-1", "#112233");
  const frame = document.createElement("div");
  frame.innerHTML =
    '<svg class="recharts-surface" width="600" height="220"><path stroke="var(--series-1)" d="M0 0"/><path class="recharts-tooltip-cursor"/></svg>';
  document.body.append(frame);
  const picture = pictureOf(frame, TEXT);
  expect(picture?.svg).toContain('stroke="#112233"');
  expect(picture?.svg).not.toContain("var(");
  expect(picture?.svg).not.toContain("tooltip-cursor");
  expect(picture?.svg).toContain("Retransmits &lt;sql-01&gt;");
  expect(new DOMParser().parseFromString(picture?.svg ?? "", "image/svg+xml").querySelector("parsererror")).toBeNull();
});

it("has no picture of nothing", () => {
  expect(pictureOf(document.createElement("div"), TEXT)).toBeNull();
});
