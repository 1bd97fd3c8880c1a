import { useCallbackRef } from "@mantine/hooks";
import { useState } from "react";

/** The ids between two rows, both included, in the order shown; what Shift+click selects. */
export function rangeOf(ids: readonly string[], from: string, to: string): string[] {
  const a = ids.indexOf(from);
  const b = ids.indexOf(to);
  if (a < 0 || b < 0) return b < 0 ? [] : [to];
  return ids.slice(Math.min(a, b), Math.max(a, b) + 1);
}

/** Which of these rows are selected; a press turns one, with Shift all since the last press. */
export function useRowSelection(ids: readonly string[]) {
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const [anchor, setAnchor] = useState<string | undefined>();
  const select = useCallbackRef((id: string, isRange: boolean) => {
    const some = isRange && anchor ? rangeOf(ids, anchor, id) : [id];
    const isAdding = !selected.has(id);
    const next = new Set(selected);
    for (const one of some) {
      if (isAdding) next.add(one);
      else next.delete(one);
    }
    setSelected(next);
    setAnchor(id);
  });
  return { selected, setSelected, select };
}
