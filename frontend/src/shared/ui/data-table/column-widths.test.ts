import { describe, expect, it } from "vitest";
import { readWidths } from "./column-widths";

describe("remembered widths", () => {
  it("are those of the table", () => {
    expect(readWidths('{"hosts":{"name":200},"jobs":{"name":90}}', "hosts")).toEqual({ name: 200 });
    expect(readWidths(null, "hosts")).toEqual({});
  });
  it.each(["no json", "[]", "null", '{"hosts":5}', '{"hosts":{"name":"200px","score":9,"drift":4000}}'])("pass over %s", (stored) =>
    expect(readWidths(stored, "hosts")).toEqual({}),
  );
});
