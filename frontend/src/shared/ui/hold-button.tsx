import { Button } from "@mantine/core";
import { type CSSProperties, type ReactNode, useEffect, useRef, useState } from "react";
import styles from "./hold-button.module.css";

export const HOLD_MS = 2000;

interface HoldButtonProps {
  children: ReactNode;
  /** What is done, for the button that stands in for holding: "Undo job 12". */
  act: string;
  onHeld: () => void;
  isBusy?: boolean;
  isWide?: boolean;
  /** Not the main act of its page: drawn as a line, not filled. */
  isQuiet?: boolean;
}

/**
 * A button for an act that changes hosts: it is held for two seconds, by finger, mouse, Space or Enter. Who presses it
 * shortly, or cannot hold (a switch, a screen reader), is asked once more instead.
 */
export function HoldButton({ children, act, onHeld, isBusy = false, isWide = false, isQuiet = false }: HoldButtonProps) {
  const [isHeld, setHeld] = useState(false);
  const [isAsked, setAsked] = useState(false);
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  const isDone = useRef(false);
  useEffect(() => () => clearTimeout(timer.current), []);

  const press = () => {
    if (timer.current !== undefined || isBusy) return;
    isDone.current = false;
    setHeld(true);
    timer.current = setTimeout(() => {
      timer.current = undefined;
      isDone.current = true;
      setHeld(false);
      setAsked(false);
      onHeld();
    }, HOLD_MS);
  };
  const letGo = () => {
    clearTimeout(timer.current);
    timer.current = undefined;
    setHeld(false);
  };
  const isHoldKey = (key: string) => key === " " || key === "Enter";

  return (
    <>
      <button
        type="button"
        className={isWide ? `${styles.hold} ${styles.wide}` : styles.hold}
        style={{ "--hold-ms": `${HOLD_MS}ms` } as CSSProperties}
        data-held={isHeld || undefined}
        data-quiet={isQuiet || undefined}
        disabled={isBusy}
        onPointerDown={press}
        onPointerUp={letGo}
        onPointerLeave={letGo}
        onPointerCancel={letGo}
        onBlur={letGo}
        onContextMenu={(event) => event.preventDefault()}
        onKeyDown={(event) => {
          if (!isHoldKey(event.key)) return;
          event.preventDefault();
          if (!event.repeat) press();
        }}
        onKeyUp={(event) => {
          if (!isHoldKey(event.key)) return;
          event.preventDefault();
          if (timer.current !== undefined) setAsked(true);
          letGo();
        }}
        // A click follows every press of a pointer, and is all that assistive software sends.
        onClick={() => {
          if (!isDone.current) setAsked(true);
        }}
      >
        <i aria-hidden="true" />
        <span>{children}</span>
      </button>
      {isAsked && !isBusy ? (
        <span className={styles.asked} role="status">
          Press and hold for 2 seconds, or
          <Button
            size="compact-sm"
            onClick={() => {
              setAsked(false);
              onHeld();
            }}
          >
            {act} now
          </Button>
          <Button size="compact-sm" variant="subtle" onClick={() => setAsked(false)}>
            Cancel
          </Button>
        </span>
      ) : null}
    </>
  );
}
