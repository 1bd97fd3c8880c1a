import { describe, expect, it } from "vitest";
import { parseSearch, stringifySearch } from "@/shared/lib/search";
import { filtersOf, hostsSearch } from "./search";

describe("the address of the list of hosts", () => {
  it("comes back the same over a reload", () => {
    const search = { group: [3], platform: ["windows", "esxi"], rule: ["dell-esxi55/esxi55.delayed_ack"], cluster: [""], score_below: 60 };
    expect(hostsSearch.parse(parseSearch(stringifySearch(search)))).toEqual(search);
  });
  it("falls back on nonsense and never fails", () => {
    const read = hostsSearch.parse(
      parseSearch("?group=one&group=2&score_below=many&sort=sideways&freshness=fresh&freshness=stale&outcome=nothing&peek=zzz"),
    );
    expect(read).toEqual({ group: [2], freshness: ["fresh"] });
  });
});

it("sends the API the filters it knows and nothing else of the address", () => {
  const given = { ...hostsSearch.parse({ group: ["7", "99999999999"], outcome: "zz" }), after: "zzz", pack: "nope" };
  expect(filtersOf(given)).toEqual({ group: [7] });
});
