import { useSyncExternalStore } from "react";

/** Older than this, the present is read anew for a component that comes in. */
const STALE_MS = 1000;

/** The present for all components that renew it equally often: one timer, however many times are shown. */
class Clock {
  private now = new Date();
  private readonly watchers = new Set<() => void>();
  private timer: ReturnType<typeof setInterval> | undefined;

  constructor(private readonly everyMs: number) {}

  read = (): Date => {
    // Nobody renewed it while nobody watched.
    if (this.timer === undefined && this.isStale()) this.now = new Date();
    return this.now;
  };

  watch = (changed: () => void): (() => void) => {
    this.watchers.add(changed);
    if (this.isStale()) this.renew();
    this.timer ??= setInterval(this.renew, this.everyMs);
    return () => {
      this.watchers.delete(changed);
      if (this.watchers.size > 0) return;
      clearInterval(this.timer);
      this.timer = undefined;
    };
  };

  private isStale = (): boolean => Date.now() - this.now.getTime() > STALE_MS;

  private renew = (): void => {
    this.now = new Date();
    for (const changed of this.watchers) changed();
  };
}

const clocks = new Map<number, Clock>();

/** The present, renewed every so often, so that "3 min ago" grows old by itself. */
export function useNow(everyMs = 15_000): Date {
  const clock = clocks.get(everyMs) ?? new Clock(everyMs);
  clocks.set(everyMs, clock);
  return useSyncExternalStore(clock.watch, clock.read);
}
