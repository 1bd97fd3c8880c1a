import { describe, expect, it } from "vitest";
import { parseSearch, stringifySearch } from "@/lib/search";
import { hostsSearch } from "./search";

describe("the address of the list of hosts", () => {
  it("comes back the same over a reload", () => {
    const search = { group: [3], platform: ["windows", "esxi"], rule: ["dell-esxi55/esxi55.delayed_ack"], cluster: [""], score_below: 60 };
    expect(hostsSearch.parse(parseSearch(stringifySearch(search)))).toEqual(search);
  });
  it("falls back on nonsense and never fails", () => {
    const read = hostsSearch.parse(
      parseSearch("?group=one&group=2&score_below=many&sort=sideways&freshness=fresh&freshness=stale&outcome=nothing"),
    );
    expect(read).toEqual({ group: [2], freshness: ["fresh"] });
  });
});
