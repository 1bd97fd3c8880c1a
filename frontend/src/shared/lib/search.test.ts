import { describe, expect, it } from "vitest";

import { parseSearch, stringifySearch, toggled } from "./search";

describe("addresses", () => {
  it("keep lists as repeated names and come back the same", () => {
    const search = { platform: ["windows", "esxi"], rule: ["dell-esxi55/esxi55.delayed_ack"], cluster: [""] };
    const address = stringifySearch(search);
    expect(address).toBe("?platform=windows&platform=esxi&rule=dell-esxi55/esxi55.delayed_ack&cluster=");
    expect(parseSearch(address)).toEqual({ platform: ["windows", "esxi"], rule: "dell-esxi55/esxi55.delayed_ack", cluster: "" });
  });
  it("leave out what is not given", () => expect(stringifySearch({ q: undefined, peek: "" })).toBe(""));
  it("toggle a value in and out", () => {
    expect(toggled(undefined, "a")).toEqual(["a"]);
    expect(toggled(["a", "b"], "a")).toEqual(["b"]);
    expect(toggled(["a"], "a")).toBeUndefined();
  });
});
