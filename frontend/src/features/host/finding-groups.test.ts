import { describe, expect, it } from "vitest";
import { groupFindings, groupHeadline, isNamedApart, subjectsText } from "./finding-groups";
import { makeFinding } from "./testing";

const san2 = { kind: "adapter", id: "0010189b7a11", label: "SAN2" };

describe("findings of a host", () => {
  it("are one entry where a rule says the same of several subjects", () => {
    const groups = groupFindings([makeFinding(), makeFinding({ subject: san2 })]);
    expect(groups).toHaveLength(1);
    expect(groups[0] && subjectsText(groups[0])).toBe("SAN1 and SAN2");
  });
  it("name their items in one headline, and apart only where nothing is wrong", () => {
    const [failing] = groupFindings([makeFinding(), makeFinding({ subject: san2 })]);
    expect(failing && groupHeadline(failing)).toBe("Flow control is off on SAN1 and SAN2");
    expect(failing && isNamedApart(failing)).toBe(false);
    const [passing] = groupFindings([makeFinding({ standing: "pass", headline_template: "Flow control on SAN adapters" })]);
    expect(passing && groupHeadline(passing)).toBe("Flow control on SAN adapters");
    expect(passing && isNamedApart(passing)).toBe(true);
  });
  it("stay apart where the observed values differ", () =>
    expect(groupFindings([makeFinding(), makeFinding({ subject: san2, observed: "tx" })])).toHaveLength(2));
  it("of two packs that ask the same are one entry that names both", () => {
    const twin = makeFinding({
      pack: "dell-bp1057-2012r2",
      rule: "bp1057r2.flow_control",
      same_as: ["dell-bp1057-2012/bp1057.flow_control"],
    });
    const groups = groupFindings([makeFinding(), twin]);
    expect(groups).toHaveLength(1);
    expect(groups[0]?.alsoAskedBy).toEqual(["dell-bp1057-2012r2/bp1057r2.flow_control"]);
  });
  it("of two packs stay apart where one passes and the other fails", () => {
    const twin = makeFinding({
      pack: "b",
      rule: "b",
      same_as: ["dell-bp1057-2012/bp1057.flow_control"],
      outcome: "pass",
      standing: "pass",
    });
    expect(groupFindings([makeFinding(), twin])).toHaveLength(2);
  });
  it("stand failing first, the worst of them on top, then unknown", () => {
    const make = (rule: string, standing: "fail" | "unknown" | "pass", severity: "high" | "low") =>
      makeFinding({ rule, title: rule, standing, severity });
    const order = groupFindings([
      make("a", "pass", "low"),
      make("b", "unknown", "low"),
      make("c", "fail", "low"),
      make("d", "fail", "high"),
    ]);
    expect(order.map((group) => group.first.rule)).toEqual(["d", "c", "b", "a"]);
  });
});
