import { expect, it } from "vitest";
import { rulesToFix } from "./event-acts";

it("names a rule once with the hosts of all events, and leaves out rules that no plan fixes", () => {
  const rule = (name: string, hosts: string[], isManual = false) => ({
    pack: "core",
    rule: name,
    title: name,
    fix_rules: isManual ? [] : [{ pack: "core", rule: name }],
    host_ids: hosts,
  });
  const events = [
    { rules: [rule("mtu", ["a", "b"]), rule("cabling", ["a"], true)] },
    { rules: [rule("mtu", ["b", "c"]), rule("rss", ["c"])] },
  ];
  expect(rulesToFix(events)).toEqual([
    { pack: "core", rule: "mtu", host_ids: ["a", "b", "c"] },
    { pack: "core", rule: "rss", host_ids: ["c"] },
  ]);
});
