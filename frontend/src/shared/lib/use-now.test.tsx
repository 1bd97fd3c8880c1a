import { act, render, screen } from "@testing-library/react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { useNow } from "./use-now";

const START = new Date("2026-11-21T02:11:09Z");
beforeEach(() => void vi.useFakeTimers({ now: START }));
afterEach(() => void vi.useRealTimers());

const Second = ({ name, everyMs }: { name: string; everyMs: number }) => (
  <output aria-label={name}>{(useNow(everyMs).getTime() - START.getTime()) / 1000}</output>
);
const shown = (name: string) => screen.getByLabelText(name).textContent;

it("renews the present for all that show it, with one timer, and stops the timer with the last", () => {
  const all = render(
    <>
      <Second name="one" everyMs={7000} />
      <Second name="other" everyMs={7000} />
    </>,
  );
  expect(vi.getTimerCount()).toBe(1);
  expect([shown("one"), shown("other")]).toEqual(["0", "0"]);
  act(() => void vi.advanceTimersByTime(7000));
  expect([shown("one"), shown("other")]).toEqual(["7", "7"]);
  all.unmount();
  expect(vi.getTimerCount()).toBe(0);
});

it("shows the present of now to one that comes in between, and after nobody watched for a while", () => {
  const first = render(<Second name="first" everyMs={9000} />);
  act(() => void vi.advanceTimersByTime(4000));
  render(<Second name="later" everyMs={9000} />);
  expect([shown("first"), shown("later")]).toEqual(["4", "4"]);
  first.unmount();
  vi.advanceTimersByTime(60_000);
  render(<Second name="after" everyMs={9000} />);
  expect(Number(shown("after"))).toBeGreaterThanOrEqual(63);
});
