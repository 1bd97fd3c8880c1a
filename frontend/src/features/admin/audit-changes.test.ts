import { describe, expect, it } from "vitest";
import { actsOf, changesOf } from "./audit-changes";
import type { AuditRow } from "./types";

const row = (id: number, request_id: string, action = "host.moved"): AuditRow => ({
  id,
  number: id,
  at: "2026-11-20T09:41:20Z",
  actor: "person:1 ana",
  who: "Ana",
  action,
  what: "Host moved",
  object_kind: "host",
  object_id: String(id),
  about: `sql-0${id}`,
  group_name: "PROD",
  before: { group_id: 1 },
  after: { group_id: 2 },
  reason: "",
  request_id,
  is_chained: true,
});

describe("what an act changed", () => {
  it("names only the values that differ", () => {
    expect(changesOf({ before: { name: "a", hour: 7 }, after: { name: "a", hour: 9, tags: ["x"] } })).toEqual([
      { key: "hour", before: "7", after: "9" },
      { key: "tags", before: "", after: expect.stringContaining("x") },
    ]);
  });

  it("is nothing where nothing is kept, and everything of what is new or gone", () => {
    expect(changesOf({ before: null, after: null })).toEqual([]);
    expect(changesOf({ before: null, after: { name: "a" } })).toEqual([{ key: "name", before: "", after: "a" }]);
    expect(changesOf({ before: "old", after: "new" })).toEqual([{ key: "", before: "old", after: "new" }]);
  });
});

describe("a bulk act", () => {
  it("is one line: the same request did the same to several objects", () => {
    const acts = actsOf([row(5, "r2"), row(4, "r1"), row(3, "r1"), row(2, "r1", "host.tagged"), row(1, "")]);
    expect(acts.map((act) => act.rows.map((each) => each.id))).toEqual([[5], [4, 3], [2], [1]]);
  });

  it("never joins acts without a request", () => {
    expect(actsOf([row(2, ""), row(1, "")])).toHaveLength(2);
  });
});
