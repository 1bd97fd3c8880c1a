import { expect, it } from "vitest";
import { unknownWords } from "./labels";

it("says why a clock tells nothing of some hosts", () => {
  expect(unknownWords("baseline", 1)).toBe("1 host without an accepted baseline");
  expect(unknownWords("peers", 16)).toBe("16 hosts without peers to compare with");
  expect(unknownWords("persisted", 2)).toBe("not known of 2 hosts");
});
