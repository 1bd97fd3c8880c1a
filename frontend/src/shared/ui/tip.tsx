import { Tooltip } from "@mantine/core";
import { type FocusEvent, type KeyboardEvent, type ReactElement, type RefObject, useEffect, useId, useRef, useState } from "react";

/** Before a tip opens under a resting pointer, in milliseconds; as the theme's tooltips. */
const DELAY = 150;

/** What the element with a tip takes over. */
interface TipTarget<Element extends HTMLElement> {
  ref: RefObject<Element | null>;
  "aria-describedby": string | undefined;
  onMouseEnter: () => void;
  onMouseLeave: () => void;
  onFocus: (event: FocusEvent) => void;
  onBlur: () => void;
  onKeyDown: (event: KeyboardEvent) => void;
}

interface TipProps<Element extends HTMLElement> {
  label: string;
  children: (target: TipTarget<Element>) => ReactElement;
}

/**
 * A tooltip that is made when the pointer or the focus comes. Mantine's own works out its place in every row of a list
 * that is drawn; with some hundred rows that takes most of the time.
 */
export function Tip<Element extends HTMLElement>({ label, children }: TipProps<Element>) {
  const [isOpen, setOpen] = useState(false);
  const ref = useRef<Element>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const id = useId();
  useEffect(() => () => clearTimeout(timer.current), []);
  const close = (): void => {
    clearTimeout(timer.current);
    setOpen(false);
  };
  return (
    <>
      {children({
        ref,
        "aria-describedby": isOpen ? id : undefined,
        onMouseEnter: () => {
          clearTimeout(timer.current);
          timer.current = setTimeout(() => setOpen(true), DELAY);
        },
        onMouseLeave: close,
        onFocus: ({ currentTarget }) => currentTarget.matches(":focus-visible") && setOpen(true),
        onBlur: close,
        onKeyDown: ({ key }) => key === "Escape" && close(),
      })}
      {isOpen ? <Tooltip target={ref} opened label={<span id={id}>{label}</span>} /> : null}
    </>
  );
}
