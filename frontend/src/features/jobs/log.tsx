import { Button, Switch, TextInput } from "@mantine/core";
import { IconDownload } from "@tabler/icons-react";
import { useEffect, useRef, useState } from "react";
import type { JobDetail, JobEvent } from "@/entities/job/types";
import { count, plural } from "@/shared/lib/format";
import type { PatchSearch } from "@/shared/lib/patch-search";
import { saveFile } from "@/shared/lib/save-file";
import { visible } from "@/shared/lib/text";
import { exact, timeOfDay } from "@/shared/lib/time";
import { useZone } from "@/shared/ui/time-ago";
import { logText } from "./events";
import type { Following } from "./follow";
import styles from "./jobs.module.css";
import { matches } from "./labels";
import type { JobSearch } from "./search";

interface LogProps {
  job: JobDetail;
  events: JobEvent[];
  following: Following;
  search: JobSearch;
  setSearch: PatchSearch<JobSearch>;
}

/** Every line of what happened, oldest first; follows the newest unless the person reads further up. */
export function Log({ job, events, following, search, setSearch }: LogProps) {
  const zone = useZone();
  const box = useRef<HTMLOListElement>(null);
  const [isFollowed, setFollowed] = useState(true);
  const shown = search.q ? events.filter((one) => matches(one, search.q ?? "")) : events;
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new line moves the log
  useEffect(() => {
    if (isFollowed) box.current?.scrollTo({ top: box.current.scrollHeight });
  }, [isFollowed, shown.length]);
  return (
    <section className="section" aria-label="Log">
      <div className={styles.logHead}>
        <h2>
          Log{" "}
          <span className="dim">
            {search.q ? `${count(shown.length)} of ${plural(events.length, "line")}` : plural(events.length, "line")}
          </span>
        </h2>
        <TextInput
          className={styles.search}
          size="xs"
          aria-label="Search the log"
          placeholder="Search the log"
          value={search.q ?? ""}
          onChange={(event) => setSearch({ q: event.currentTarget.value || undefined }, true)}
        />
        <Switch size="xs" label="Follow" checked={isFollowed} onChange={(event) => setFollowed(event.currentTarget.checked)} />
        <Button
          size="compact-sm"
          leftSection={<IconDownload size={14} />}
          disabled={events.length === 0}
          onClick={() => saveFile(`job-${job.id}.log`, logText(shown))}
        >
          Download
        </Button>
      </div>
      {shown.length === 0 ? (
        <p className="dim">
          {events.length > 0 ? "No matching lines" : following === "over" || job.last_event === 0 ? "No log entries yet" : "Loading…"}
        </p>
      ) : (
        <ol
          ref={box}
          className={styles.log}
          // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable without a mouse
          tabIndex={0}
          aria-label="Log lines"
          onWheel={() => setFollowed(isAtEnd(box.current))}
          onTouchMove={() => setFollowed(isAtEnd(box.current))}
          onKeyUp={() => setFollowed(isAtEnd(box.current))}
        >
          {shown.map((one) => (
            <li key={one.number} data-kind={one.kind}>
              <time dateTime={one.at} title={exact(one.at, zone)}>
                {timeOfDay(one.at, zone)}
              </time>
              <span className={styles.step}>{one.step_no === null ? "" : `step ${one.step_no}`}</span>
              <span>{visible(one.words)}</span>
            </li>
          ))}
        </ol>
      )}
    </section>
  );
}

const isAtEnd = (box: HTMLElement | null): boolean => box !== null && box.scrollHeight - box.scrollTop - box.clientHeight < 24;
