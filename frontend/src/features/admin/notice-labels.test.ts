import { describe, expect, it } from "vitest";
import { kindsText } from "./notice-labels";
import type { NoticeKind } from "./types";

const all = (["paths", "silent", "ending", "worse"] as NoticeKind[]).map((kind) => ({ kind, words: `${kind} said` }));

describe("what a channel hears of", () => {
  it("names what is left out where that is shorter", () => {
    expect(kindsText(["paths", "silent", "ending", "worse"], all)).toBe("All events");
    expect(kindsText(["paths", "silent", "ending"], all)).toBe("All events except: worse said");
    expect(kindsText(["silent"], all)).toBe("silent said");
  });
  it("keeps the order of urgency, not that of the choice", () => {
    expect(kindsText(["ending", "paths"], [...all, { kind: "alarm", words: "alarm said" }])).toBe("paths said; ending said");
  });
});
