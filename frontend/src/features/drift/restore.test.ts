import { expect, it } from "vitest";
import { restorable, restoreReason, settingsOf } from "./restore";
import type { EventChange } from "./types";

const change = (more: Partial<EventChange>): EventChange => ({
  change_id: 1,
  host: { id: "a", name: "sql-01" },
  subject: { kind: "adapter", id: "00", label: "SAN1" },
  key: "adapter.mtu",
  label: "L3 MTU",
  old: "9000 bytes",
  new: "1500 bytes",
  now: "1500 bytes",
  at: "2026-01-01T00:00:00Z",
  cause_detail: "",
  job_id: null,
  restore_to: 9000,
  why_not_restore: "",
  ...more,
});

it("restores only what has a former value that a plan can set", () => {
  const changes = [change({}), change({ change_id: 2, restore_to: null, why_not_restore: "Plumbline does not set this" })];
  expect(restorable(changes).map((one) => one.change_id)).toEqual([1]);
});

it("takes the oldest value of a setting that changed twice, since that is what was there before", () => {
  const twice = [change({ change_id: 2, at: "2026-01-02T00:00:00Z", restore_to: 4000 }), change({})];
  expect(settingsOf(twice, "the value before")).toEqual([
    { host_id: "a", key: "adapter.mtu", subject_id: "00", to: 9000, reference: "the value before" },
  ]);
});

it("says what is restored and where", () => {
  expect(restoreReason([change({})], "driver version 1 to 2")).toBe("Restore L3 MTU on sql-01 to the value before: driver version 1 to 2");
  const two = [change({}), change({ host: { id: "b", name: "sql-02" }, key: "adapter.rss", label: "RSS" })];
  expect(restoreReason(two, "")).toBe("Restore 2 settings on 2 hosts to the values before");
});
