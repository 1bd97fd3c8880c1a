import { Tooltip as MantineTooltip, type TooltipProps as MantineTooltipProps } from "@mantine/core";
import {
  type FocusEvent,
  type KeyboardEvent,
  type ReactElement,
  type ReactNode,
  type RefObject,
  useEffect,
  useId,
  useRef,
  useState,
} from "react";

/** How long the pointer rests before a tooltip opens, in milliseconds. */
const DELAY = 150;

/** What the element with a tooltip takes over. */
interface TooltipTarget<Element extends HTMLElement> {
  ref: RefObject<Element | null>;
  "aria-describedby": string | undefined;
  onMouseEnter: () => void;
  onMouseLeave: () => void;
  onFocus: (event: FocusEvent) => void;
  onBlur: () => void;
  onKeyDown: (event: KeyboardEvent) => void;
}

interface TooltipProps<Element extends HTMLElement> extends Pick<MantineTooltipProps, "position" | "multiline" | "w" | "maw"> {
  /** Without it nothing opens. */
  label: ReactNode;
  children: (target: TooltipTarget<Element>) => ReactElement;
}

/**
 * A tooltip that is made when the pointer or the focus comes: Mantine's own does most of its work before, for each row of
 * a list. It opens by a resting pointer, a tap or the Tab key, and closes by Escape.
 */
export function Tooltip<Element extends HTMLElement>({ label, children, ...place }: TooltipProps<Element>) {
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
        "aria-describedby": isOpen && label ? id : undefined,
        onMouseEnter: () => {
          clearTimeout(timer.current);
          timer.current = setTimeout(() => setOpen(true), DELAY);
        },
        onMouseLeave: close,
        onFocus: ({ currentTarget }) => currentTarget.matches(":focus-visible") && setOpen(true),
        onBlur: close,
        onKeyDown: ({ key }) => key === "Escape" && close(),
      })}
      {isOpen && label ? <MantineTooltip target={ref} opened label={<span id={id}>{label}</span>} {...place} /> : null}
    </>
  );
}
