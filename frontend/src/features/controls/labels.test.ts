import { expect, test } from "vitest";
import { domainName, isActive, itemText, mayRaise, minutesText, recurrence, standingState, workerState } from "./labels";

const window = { weekdays: [6], nth: [], on_date: "", starts_at_time: "22:00", lasts_minutes: 240, time_zone: "Europe/Berlin" };

test("a window says when it opens, in its own zone", () => {
  expect(recurrence(window)).toBe("every Saturday at 22:00 for 4 h, Europe/Berlin");
  expect(recurrence({ ...window, weekdays: [6, 7], nth: [1, -1] })).toBe(
    "every first and last Saturday and Sunday of the month at 22:00 for 4 h, Europe/Berlin",
  );
  expect(recurrence({ ...window, weekdays: [1, 2, 3, 4, 5, 6, 7], lasts_minutes: 90 })).toBe(
    "every day at 22:00 for 90 min, Europe/Berlin",
  );
  expect(recurrence({ ...window, weekdays: [], on_date: "2026-12-05", lasts_minutes: 1500 })).toBe(
    "once, on 2026-12-05 at 22:00 for 1 d 1 h, Europe/Berlin",
  );
});

test("minutes are written in the units that they fill", () => {
  expect([15, 60, 90, 120, 150, 10_080].map(minutesText)).toEqual(["15 min", "1 h", "90 min", "2 h", "2 h 30 min", "7 d"]);
});

test("a domain is called by its group's name, and by the API's words where that is not known", () => {
  const groups = [{ id: 4, name: "PROD-B" }];
  const of = (domain: string, words: string) => domainName({ domain, words, slots: 1, held_by: [] }, groups);
  expect(of("group:4", "group")).toBe("Group PROD-B");
  expect(of("fabric:4/A", "fabric A")).toBe("Fabric A in PROD-B");
  expect(of("fabric:4/shared", "fabric shared")).toBe("Unlabelled adapters in PROD-B");
  expect(of("unclustered:4", "hosts without a known cluster")).toBe("Hosts in PROD-B without a known cluster");
  expect(of("group:9", "group")).toBe("Group");
  expect(of("cluster:SQL", "cluster SQL")).toBe("Cluster SQL");
});

test("only groups and fabrics take another number", () => {
  expect(["group:1", "fabric:1/A", "cluster:SQL", "unclustered:1"].map(mayRaise)).toEqual([true, true, false, false]);
});

test("an item is the title of a rule, or a setting with its value", () => {
  const titleOf = (pack: string, rule: string) => `title of ${pack} ${rule}`;
  expect(itemText({ rule: "dell-esxi55/esxi55.delayed_ack" }, titleOf)).toEqual({ what: "title of dell-esxi55 esxi55.delayed_ack" });
  expect(itemText({ setting: "adapter.flow_control", value: "rx_tx" }, titleOf)).toEqual({ what: "adapter.flow_control", value: "rx_tx" });
});

test("only an active approval looks active", () => {
  expect(standingState({ is_in_force: true, withdrawn_at: null }).label).toBe("Active");
  expect(standingState({ is_in_force: false, withdrawn_at: null }).label).toBe("Expired");
  expect(standingState({ is_in_force: false, withdrawn_at: "2026-11-22T00:00:00Z" }).label).toBe("Withdrawn");
});

test("a worker is active for sixty seconds after its last task", () => {
  const now = new Date("2026-11-22T10:01:00Z");
  expect(isActive("2026-11-22T10:00:00Z", now)).toBe(true);
  expect(isActive("2026-11-22T09:59:59Z", now)).toBe(false);
});

test("a worker without a task does not respond only where one was due", () => {
  const now = new Date("2026-11-22T10:05:00Z");
  expect(workerState("2026-11-22T10:04:30Z", 3, now).status).toBe("pass");
  expect(workerState("2026-11-22T10:00:00Z", 0, now).status).toBe("neutral");
  expect(workerState("2026-11-22T10:00:00Z", 1, now).status).toBe("warn");
});
