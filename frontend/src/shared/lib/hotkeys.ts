import { useEffect, useRef } from "react";

/** Keys by name: one key ("j", "?", "Escape"), or two in a row ("g o"). Never a key that the browser itself uses. */
type HotkeyMap = Record<string, (event: KeyboardEvent) => void>;

/** How long the first key of a pair waits for the second, in milliseconds. */
const PAIR_MS = 1200;

/** Whether the person is typing, in which case single keys are text and not commands. */
function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (target.isContentEditable || target.tagName === "TEXTAREA" || target.tagName === "SELECT") return true;
  return target.tagName === "INPUT" && !["checkbox", "radio", "button"].includes((target as HTMLInputElement).type);
}

/** Whether the key already means something on this element: Space and Enter on a button or a checkbox, Enter on a link. */
function isTaken(key: string, target: EventTarget | null): boolean {
  if (key !== " " && key !== "Enter") return false;
  const controls = "button, input, summary, [role=option], [role=menuitem]";
  return target instanceof HTMLElement && target.closest(key === "Enter" ? `a, ${controls}` : controls) !== null;
}

/** Listens for the keys while mounted. Does nothing while the person types or a dialog is open. */
export function useHotkeyMap(keys: HotkeyMap, isOn = true): void {
  const latest = useRef(keys);
  latest.current = keys;
  useEffect(() => {
    if (!isOn) return;
    let first = "";
    let firstAt = 0;
    const onKey = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
      if (document.querySelector("[role=dialog][aria-modal=true]") !== null) return;
      const pair = Date.now() - firstAt < PAIR_MS ? `${first} ${event.key}` : "";
      const act = (pair && latest.current[pair]) || latest.current[event.key];
      first = event.key;
      firstAt = Date.now();
      if (!act) return;
      if (isTaken(event.key, event.target)) return;
      event.preventDefault();
      first = "";
      act(event);
    };
    window.addEventListener("keydown", onKey);
    return () => window.removeEventListener("keydown", onKey);
  }, [isOn]);
}
