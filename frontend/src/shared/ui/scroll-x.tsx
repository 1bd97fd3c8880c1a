import type { ReactNode } from "react";

/** A wide table that scrolls sideways within its place; reachable by keyboard, so that the arrow keys scroll it. */
export function ScrollX({ children }: { children: ReactNode }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable without a mouse
    // biome-ignore lint/a11y/useSemanticElements: a fieldset would say that this is a form
    <div className="scroll-x" role="group" aria-label="Table, scrolls sideways" tabIndex={0}>
      {children}
    </div>
  );
}
