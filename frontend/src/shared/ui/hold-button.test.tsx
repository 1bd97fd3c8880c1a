import { act, fireEvent, screen } from "@testing-library/react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { draw } from "@/shared/testing/render";
import { HOLD_MS, HoldButton } from "./hold-button";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const button = () => screen.getByRole("button", { name: "Hold 2 s to undo" });

function drawn() {
  const onHeld = vi.fn();
  draw(
    <HoldButton act="Undo" onHeld={onHeld}>
      Hold 2 s to undo
    </HoldButton>,
  );
  return onHeld;
}

it("acts once it was held long enough, and not before", () => {
  const onHeld = drawn();
  fireEvent.pointerDown(button());
  act(() => void vi.advanceTimersByTime(HOLD_MS - 1));
  expect(onHeld).not.toHaveBeenCalled();
  act(() => void vi.advanceTimersByTime(1));
  fireEvent.pointerUp(button());
  fireEvent.click(button());
  expect(onHeld).toHaveBeenCalledTimes(1);
  expect(screen.queryByRole("button", { name: "Undo now" })).toBeNull();
});

it("does nothing when it is let go early, and asks instead", () => {
  const onHeld = drawn();
  fireEvent.pointerDown(button());
  act(() => void vi.advanceTimersByTime(HOLD_MS / 2));
  fireEvent.pointerUp(button());
  fireEvent.click(button());
  act(() => void vi.advanceTimersByTime(HOLD_MS * 2));
  expect(onHeld).not.toHaveBeenCalled();
  fireEvent.click(screen.getByRole("button", { name: "Undo now" }));
  expect(onHeld).toHaveBeenCalledTimes(1);
});

it("is held by a key as well, however often the key repeats itself", () => {
  const onHeld = drawn();
  fireEvent.keyDown(button(), { key: " " });
  for (let at = 0; at < 20; at += 1) fireEvent.keyDown(button(), { key: " ", repeat: true });
  act(() => void vi.advanceTimersByTime(HOLD_MS));
  fireEvent.keyUp(button(), { key: " " });
  expect(onHeld).toHaveBeenCalledTimes(1);
});

it("lets software that can only click ask once more", () => {
  const onHeld = drawn();
  fireEvent.click(button());
  expect(onHeld).not.toHaveBeenCalled();
  expect(screen.getByRole("button", { name: "Undo now" })).toBeDefined();
});
