import { describe, expect, it } from "vitest";
import type { NoticeKind } from "@/shared/api/types";
import { kindsInWords } from "./notice-labels";

const all = (["paths", "silent", "ending", "worse"] as NoticeKind[]).map((kind) => ({ kind, words: `${kind} said` }));

describe("what a channel hears of", () => {
  it("names what is left out where that is shorter", () => {
    expect(kindsInWords(["paths", "silent", "ending", "worse"], all)).toBe("everything");
    expect(kindsInWords(["paths", "silent", "ending"], all)).toBe("everything but: worse said");
    expect(kindsInWords(["silent"], all)).toBe("silent said");
  });
  it("keeps the order of urgency, not that of the choice", () => {
    expect(kindsInWords(["ending", "paths"], [...all, { kind: "alarm", words: "alarm said" }])).toBe("paths said; ending said");
  });
});
