import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { jobKey, jobsKey } from "@/entities/job/queries";
import type { JobEvent } from "@/entities/job/types";
import { api } from "@/shared/api/client";
import { merged, readEvent, whole } from "./events";

/** live: events arrive; polling: the stream is away and the events are asked for; over: the job has ended and all of them are here. */
export type Following = "opening" | "live" | "polling" | "over";

const POLL_MS = 3000;
const REOPEN_MS = 8000;

/**
 * The events of a job from its first on, without gaps. The stream brings them; while it is away they are asked for from the
 * last whole number on, and whatever came twice is taken once. The browser comes back with the last id that it saw.
 */
export function useJobEvents(id: number, newest: number): { events: JobEvent[]; following: Following } {
  const client = useQueryClient();
  const [events, setEvents] = useState<JobEvent[]>([]);
  const [following, setFollowing] = useState<Following>("opening");
  const row = useRef<JobEvent[]>([]);

  useEffect(() => {
    let isGone = false;
    let isOver = false;
    let stream: EventSource | undefined;
    row.current = [];
    const take = (come: JobEvent[]) => {
      const next = merged(row.current, come);
      if (next === row.current) return;
      row.current = next;
      setEvents(next);
      void client.invalidateQueries({ queryKey: jobKey(id) });
    };
    const ask = async () => {
      try {
        const { data } = await api.GET("/api/v1/jobs/{job_id}/events", {
          params: { path: { job_id: id }, query: { after: whole(row.current) } },
        });
        if (isGone || !data) return;
        take(data.items);
        if (data.is_over && whole(row.current) === row.current.length) end();
      } catch {
        // The state of the stream says that nothing comes; the next try may be answered.
      }
    };
    const end = () => {
      isOver = true;
      stream?.close();
      setFollowing("over");
      void client.invalidateQueries({ queryKey: jobKey(id) });
      void client.invalidateQueries({ queryKey: jobsKey });
    };
    const open = () => {
      stream?.close();
      stream = new EventSource(`/api/v1/jobs/${id}/stream`);
      stream.onopen = () => setFollowing("live");
      stream.onerror = () => {
        if (!isOver && !isGone) setFollowing("polling");
      };
      stream.addEventListener("job", (event) => {
        const come = readEvent(event.data);
        if (come) take([come]);
        // A hole would be a line that nobody sees: it is asked for at once.
        if (whole(row.current) !== row.current.length) void ask();
      });
      stream.addEventListener("end", end);
    };
    open();
    const poll = setInterval(() => {
      if (!isOver && stream?.readyState !== EventSource.OPEN) void ask();
    }, POLL_MS);
    // The browser gives up for good when a proxy answers with an error; this does not.
    const reopen = setInterval(() => {
      if (!isOver && stream?.readyState === EventSource.CLOSED) open();
    }, REOPEN_MS);
    return () => {
      isGone = true;
      stream?.close();
      clearInterval(poll);
      clearInterval(reopen);
    };
  }, [client, id]);

  // An ended job still gets a line when it is undone: its row says so, and the line is asked for.
  const last = events.at(-1)?.number ?? 0;
  useEffect(() => {
    if (following !== "over" || newest <= last) return;
    void api.GET("/api/v1/jobs/{job_id}/events", { params: { path: { job_id: id }, query: { after: last } } }).then(
      ({ data }) => {
        row.current = merged(row.current, data?.items ?? []);
        setEvents(row.current);
      },
      () => undefined,
    );
  }, [following, newest, last, id]);

  return { events, following };
}
