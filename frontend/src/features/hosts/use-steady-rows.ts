import { useEffect, useMemo, useRef, useState } from "react";
import type { HostRow } from "@/entities/host/types";
import { keepOrder } from "./row-order";

/**
 * Rows in an order that stands still while the pointer or the focus is in the list. `question` names filter and sort: a
 * person who changes those wants the new order at once. `isOld` says that `fresh` still answers the question before.
 */
export function useSteadyRows(fresh: HostRow[], question: string, isOld: boolean): { rows: HostRow[]; hold: (isHeld: boolean) => void } {
  const [isHeld, setHeld] = useState(false);
  const seen = useRef<{ question: string; ids: string[] }>({ question, ids: [] });
  const rows = useMemo(
    () => (isHeld && seen.current.question === question && seen.current.ids.length > 0 ? keepOrder(seen.current.ids, fresh) : fresh),
    [fresh, isHeld, question],
  );
  useEffect(() => {
    if (isOld) return;
    seen.current = { question, ids: rows.map((host) => host.id) };
  }, [rows, question, isOld]);
  return { rows, hold: setHeld };
}
