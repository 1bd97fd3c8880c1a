import type { KeyboardEvent } from "react";

const LINK = "a[href]";

/** The arrow keys go from a row's link to the link of the row above or below; Enter follows it, as on every link. */
export function moveBetweenRows(event: KeyboardEvent<HTMLElement>): void {
  if ((event.key !== "ArrowDown" && event.key !== "ArrowUp") || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
  const from = event.target;
  if (!(from instanceof HTMLElement) || !from.matches(LINK)) return;
  let row: Element | null | undefined = from.closest("[data-row]");
  do {
    row = event.key === "ArrowDown" ? row?.nextElementSibling : row?.previousElementSibling;
    const link = row?.matches("[data-row]") ? row.querySelector<HTMLElement>(LINK) : null;
    if (link) {
      event.preventDefault();
      link.focus();
      return;
    }
  } while (row);
}
