import { describe, expect, it } from "vitest";
import type { PlanElement } from "./types";
import { untilRestart } from "./until-restart";

const element = (until_restart: string) => ({ setting: "adapter/a/flow_control", until_restart }) as PlanElement;

describe("what a host forgets when it restarts", () => {
  it("is said once for the elements of a step, and not for what lasts", () => {
    const text = "until the next restart of the host. To keep it, put the command in local.sh";
    expect(untilRestart({ elements: [element(text), element(""), element(text)] })).toEqual([`Lasts ${text}`]);
  });
  it("is not known of a step that was signed before there was such a field", () => {
    expect(untilRestart({ elements: [{ setting: "x" } as PlanElement] })).toEqual([]);
  });
});
