import { describe, expect, it } from "vitest";
import type { PlanStep } from "@/entities/plan/types";
import { aboutMinutes, commandsOf, elementName, fewestPaths, gateLines, pathText, planStatus, restartOf } from "./labels";

const element = (label: string) => ({ label }) as PlanStep["elements"][number];
const gate = (name: PlanStep["gates"][number]["name"], words: string, value = "", opened_by: "host" | "person" = "host") => ({
  name,
  words,
  value,
  fact: "",
  opened_by,
});

function aStep(part: Partial<PlanStep> = {}): PlanStep {
  return {
    title: "SAN1: 2 settings, one restart",
    adapters: ["001018f1c2d0"],
    restart: "adapter/001018f1c2d0",
    elements: [element("Flow control"), element("RSS")],
    commands: [
      { shell: "powershell", text: "Set-One", element: 0 },
      { shell: "powershell", text: "Remove-Two", element: 1 },
      { shell: "powershell", text: "New-Two", element: 1 },
      { shell: "powershell", text: "Restart-NetAdapter", element: -1 },
    ],
    forecast: {
      impact: "adapter_restart",
      words: "",
      seconds: 12,
      duration_s: 72,
      volumes: [{ volume: "v", name: "v", before: 4, during: 2 }],
    },
    gates: [],
    ...part,
  } as PlanStep;
}

describe("a step in words", () => {
  it("puts each command beside its value, and the restart apart", () => {
    const step = aStep();
    expect(commandsOf(step, 0)).toBe("Set-One");
    expect(commandsOf(step, 1)).toBe("Remove-Two\nNew-Two");
    expect(restartOf(step)).toBe("Restart-NetAdapter");
    expect(restartOf(aStep({ commands: step.commands.slice(0, -1) }))).toBe("");
  });

  it("names a setting by its owner and keeps abbreviations", () => {
    expect(elementName(aStep(), element("Flow control"))).toBe("SAN1 flow control");
    expect(elementName(aStep(), element("RSS"))).toBe("SAN1 RSS");
  });

  it("shows how many paths a step affects, for how long, and when it affects none", () => {
    expect(pathText(aStep())).toBe("4 → 2, ≈ 12 s");
    expect(pathText(aStep({ adapters: [] }))).toBe("None affected");
    expect(pathText(aStep({ forecast: { ...aStep().forecast, volumes: [] } }))).toBe("no SAN path, ≈ 12 s");
  });

  it("shows the pre-checks of many volumes in one line, with the fewest paths", () => {
    const paths = ["4", "2", "3"].map((value) => gate("path_floor", `a volume has ${value}`, value));
    const person = gate("maintenance_mode", "host is in maintenance mode", "true", "person");
    expect(gateLines([...paths, person])).toEqual([
      { words: "host is in maintenance mode", isPerson: true },
      { words: "all 3 volumes have at least 2 healthy paths", isPerson: false },
    ]);
    expect(gateLines(paths.slice(0, 2)).map((one) => one.words)).toEqual(["a volume has 4", "a volume has 2"]);
  });
});

describe("a plan in words", () => {
  it("names the volume that is worst off", () => {
    expect(fewestPaths(aStep().forecast)).toBe("2 of 4");
    expect(fewestPaths({ ...aStep().forecast, volumes: [] })).toBe("No path affected");
  });

  it("never promises less than a minute", () => {
    expect(aboutMinutes(5)).toBe("about 1 min");
    expect(aboutMinutes(540)).toBe("about 9 min");
  });

  it("shows a state that it does not know as unknown", () => {
    expect(planStatus("AWAITING_APPROVAL")).toBe("warn");
    expect(planStatus("SOMETHING_NEW")).toBe("unknown");
  });
});
