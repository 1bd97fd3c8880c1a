import { Tooltip } from "@mantine/core";
import { createContext, useContext, useEffect, useState } from "react";
import { NO_DATA } from "@/shared/lib/format";
import { age, exact, moment, relative } from "@/shared/lib/time";

/** The zone every time on screen is written in; set once by the shell. */
export const ZoneContext = createContext("UTC");

export const useZone = (): string => useContext(ZoneContext);

/** The present, renewed every so often, so that "3 min ago" grows old by itself. */
export function useNow(everyMs = 15_000): Date {
  const [now, setNow] = useState(() => new Date());
  useEffect(() => {
    const timer = setInterval(() => setNow(new Date()), everyMs);
    return () => clearInterval(timer);
  }, [everyMs]);
  return now;
}

interface TimeAgoProps {
  at: string | null | undefined;
  /** relative: "3 min ago"; age: "3 min"; moment: "Sat 02:11"; exact: date, time and zone. */
  form?: "relative" | "age" | "moment" | "exact";
  /** Why there is no time. */
  none?: string;
}

/** A time; the exact one with its zone is in the tip, on hover and on focus. */
export function TimeAgo({ at, form = "relative", none = "never" }: TimeAgoProps) {
  const zone = useZone();
  const now = useNow();
  if (!at) return <span title={none}>{NO_DATA}</span>;
  const full = exact(at, zone);
  if (form === "exact") return <time dateTime={at}>{full}</time>;
  const text = form === "age" ? age(at, now) : form === "moment" ? moment(at, zone, now) : relative(at, now);
  return (
    <Tooltip label={full}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the exact time must be reachable without a mouse */}
      <time dateTime={at} tabIndex={0}>
        {text}
      </time>
    </Tooltip>
  );
}
