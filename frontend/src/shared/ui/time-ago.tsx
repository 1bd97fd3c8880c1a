import { createContext, useContext } from "react";
import { NO_DATA } from "@/shared/lib/format";
import { age, day, exact, moment, relative } from "@/shared/lib/time";
import { useNow } from "@/shared/lib/use-now";
import { Tooltip } from "./tooltip";

/** The zone every time on screen is written in; set once by the shell. */
export const ZoneContext = createContext("UTC");

export const useZone = (): string => useContext(ZoneContext);

interface TimeAgoProps {
  at: string | null | undefined;
  /** relative: "3 min ago"; age: "3 min"; moment: "Sat 02:11"; day: "12 Nov"; exact: date, time and zone. */
  form?: "relative" | "age" | "moment" | "day" | "exact";
  /** Why there is no time. */
  none?: string;
}

/** A time; the exact one with its zone is in the tooltip, on hover and on focus. */
export function TimeAgo({ at, form = "relative", none = "never" }: TimeAgoProps) {
  const zone = useZone();
  if (!at) return <span title={none}>{NO_DATA}</span>;
  if (form === "exact") return <time dateTime={at}>{exact(at, zone)}</time>;
  return (
    <Tooltip<HTMLTimeElement> label={exact(at, zone)}>
      {(target) => (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: the exact time must be reachable without a mouse
        <time dateTime={at} tabIndex={0} {...target}>
          <Words at={at} form={form} zone={zone} />
        </time>
      )}
    </Tooltip>
  );
}

function Words({ at, form, zone }: { at: string; form: "relative" | "age" | "moment" | "day"; zone: string }) {
  const now = useNow();
  if (form === "day") return day(at, zone, now);
  return form === "age" ? age(at, now) : form === "moment" ? moment(at, zone, now) : relative(at, now);
}
