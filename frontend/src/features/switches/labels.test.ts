import { expect, test } from "vitest";
import { issuesText, onlyHereText } from "./labels";

test("issues are told with their counts, the most frequent first", () => {
  expect(issuesText({ paths_down: 2, link_down: 7 })).toBe("7 link down, 2 with paths down");
  expect(issuesText({})).toBe("");
});

test("hosts on one switch are counted", () => {
  expect(onlyHereText(1)).toBe("1 host on this switch only");
  expect(onlyHereText(12)).toBe("12 hosts on this switch only");
});
