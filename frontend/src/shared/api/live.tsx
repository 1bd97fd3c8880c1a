import { useQueryClient } from "@tanstack/react-query";
import { createContext, type ReactNode, useContext, useEffect, useMemo, useRef, useState } from "react";

/** live: events arrive; waiting: the stream is being opened again; paused: the person stopped it. */
type LiveState = "live" | "waiting" | "paused";

interface Live {
  state: LiveState;
  /** The newest time that the data on screen is known to be of. */
  asOf: string | null;
  setPaused: (isPaused: boolean) => void;
}

const LiveContext = createContext<Live>({ state: "waiting", asOf: null, setPaused: () => undefined });

export const useLive = (): Live => useContext(LiveContext);

/** Reads of the fleet that an event makes old; the rest (session, rules' text, reports) is read again at its own rate. */
const FLEET = [
  "/api/v1/overview",
  "/api/v1/hosts",
  "/api/v1/hosts/facets",
  "/api/v1/enrolment/waiting",
  "/api/v1/rules",
  "/api/v1/on-call",
];

/** Events come in bursts when many hosts check in; reads are renewed at most this often, in milliseconds. */
const QUIET_MS = 4000;

/**
 * Follows the server's event stream and renews what it makes old. The browser's EventSource reconnects by itself and
 * sends the id of the last event it saw; while it is away the reads go on by polling.
 */
export function LiveProvider({ children }: { children: ReactNode }) {
  const client = useQueryClient();
  const [state, setState] = useState<LiveState>("waiting");
  const [asOf, setAsOf] = useState<string | null>(null);
  const [isPaused, setPaused] = useState(false);
  const hosts = useRef(new Set<string>());

  useEffect(() => {
    if (isPaused) {
      setState("paused");
      return;
    }
    setState("waiting");
    let timer: ReturnType<typeof setTimeout> | undefined;
    const renew = () => {
      timer = undefined;
      const changed = new Set(hosts.current);
      hosts.current.clear();
      void client.invalidateQueries({
        predicate: ({ queryKey }) => {
          const path = String(queryKey[1]);
          if (FLEET.includes(path)) return true;
          const init = queryKey[2] as { params?: { path?: { host_id?: string } } } | undefined;
          const host = init?.params?.path?.host_id;
          return host !== undefined && changed.has(host) && !path.endsWith("/counters");
        },
      });
      setAsOf(new Date().toISOString());
    };
    const soon = () => {
      timer ??= setTimeout(renew, QUIET_MS);
    };
    const stream = new EventSource("/api/v1/events");
    stream.onopen = () => {
      setState("live");
      setAsOf(new Date().toISOString());
    };
    stream.onerror = () => setState("waiting");
    stream.addEventListener("host", (event) => {
      const id = readId(event.data);
      if (id) hosts.current.add(id);
      soon();
    });
    stream.addEventListener("fleet", soon);
    const poll = setInterval(() => {
      if (stream.readyState !== EventSource.OPEN) soon();
    }, 30_000);
    return () => {
      stream.close();
      clearTimeout(timer);
      clearInterval(poll);
    };
  }, [client, isPaused]);

  const value = useMemo(() => ({ state, asOf, setPaused }), [state, asOf]);
  return <LiveContext value={value}>{children}</LiveContext>;
}

function readId(data: string): string | null {
  try {
    const parsed: unknown = JSON.parse(data);
    return typeof parsed === "object" && parsed !== null && "id" in parsed ? String(parsed.id) : null;
  } catch {
    return null;
  }
}
