import { Button } from "@mantine/core";
import { plural } from "@/shared/lib/format";
import { SelectedBar } from "@/shared/ui/data-table/selected-bar";
import { Failed } from "@/shared/ui/query-panel";
import { EventActs } from "./event-acts";
import { useEvents } from "./event-queries";
import { RemoveMarks } from "./mark";

/** The most events that one request names (drift/routes.py). */
export const MOST_SELECTED = 100;

interface EventSelectionProps {
  selected: ReadonlySet<string>;
  group: number | undefined;
  unread: boolean;
  clear: () => void;
}

/** What may be done about the selected events, without opening any of them. */
export function EventSelection({ selected, group, unread, clear }: EventSelectionProps) {
  const isTooMany = selected.size > MOST_SELECTED;
  const events = useEvents(isTooMany ? [] : [...selected].sort(), { group, unread });
  if (selected.size === 0) return null;
  const shown = (events.data ?? []).filter(({ event }) => selected.has(event.id));
  const changes = shown.flatMap((event) => event.changes);
  const missing = shown.reduce((sum, event) => sum + event.changes_not_shown, 0);
  const marks = [...new Set(shown.flatMap(({ event }) => event.mark?.id ?? []))];
  const isReady = !isTooMany && shown.length > 0 && !events.isPlaceholderData;
  return (
    <SelectedBar label="Selected events">
      <span className="strong">{plural(selected.size, "event")} selected</span>
      <span className="dim small">
        {isTooMany
          ? `Select at most ${MOST_SELECTED} events.`
          : isReady
            ? `${plural(changes.length, "change")} on ${plural(new Set(changes.map((change) => change.host.id)).size, "host")}${
                missing > 0 ? `. ${plural(missing, "more change")} left out: open those events to act on them` : ""
              }`
            : events.isPending || events.isPlaceholderData
              ? "Loading…"
              : ""}
      </span>
      <span style={{ flex: 1 }} />
      {isReady ? <EventActs events={shown} chosen={changes} /> : null}
      {isReady && marks.length > 0 && shown.every((one) => one.may_mark) ? <RemoveMarks markIds={marks} /> : null}
      <Button size="compact-sm" variant="subtle" color="gray" c="var(--ink)" onClick={clear}>
        Clear selection
      </Button>
      {events.error ? <Failed error={events.error} retry={() => void events.refetch()} /> : null}
    </SelectedBar>
  );
}
