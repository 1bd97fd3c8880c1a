import { expect, it } from "vitest";
import { fixed, moved, rangeQuery, spanText, zoomedIn, zoomedOut } from "./ranges";

const at = (text: string) => Date.parse(`2026-11-25T${text}Z`);

it("keeps a picked span, and never less than a minute", () => {
  expect(fixed(at("10:00:00"), at("11:00:00"))).toEqual({ hours: undefined, from: "2026-11-25T10:00:00Z", to: "2026-11-25T11:00:00Z" });
  expect(fixed(at("10:00:00"), at("10:00:10"))).toMatchObject({ from: "2026-11-25T09:59:35Z", to: "2026-11-25T10:00:35Z" });
});

it("zooms out and moves no further than now", () => {
  const now = at("12:00:00");
  expect(zoomedOut(at("10:00:00"), at("11:00:00"), now)).toMatchObject({ from: "2026-11-25T09:30:00Z", to: "2026-11-25T11:30:00Z" });
  expect(zoomedOut(at("10:00:00"), at("12:00:00"), now)).toMatchObject({ from: "2026-11-25T08:00:00Z", to: "2026-11-25T12:00:00Z" });
  expect(zoomedIn(at("10:00:00"), at("12:00:00"))).toMatchObject({ from: "2026-11-25T10:30:00Z", to: "2026-11-25T11:30:00Z" });
  expect(moved(at("10:00:00"), at("11:00:00"), -1, now)).toMatchObject({ from: "2026-11-25T09:30:00Z", to: "2026-11-25T10:30:00Z" });
  expect(moved(at("11:30:00"), at("12:00:00"), 1, now)).toMatchObject({ from: "2026-11-25T11:30:00Z", to: "2026-11-25T12:00:00Z" });
});

it("asks for 48 hours where nothing is chosen", () => {
  expect(rangeQuery({})).toEqual({ hours: 48 });
  expect(rangeQuery({ from: "2026-11-25T10:00:00Z" })).toEqual({ from: "2026-11-25T10:00:00Z", to: undefined, hours: undefined });
});

it("writes lengths of time", () => {
  expect([5, 300, 3600, 5400, 10_800, 86_400, 172_800].map(spanText)).toEqual(["5 s", "5 min", "1 h", "1.5 h", "3 h", "24 h", "2 d"]);
});
