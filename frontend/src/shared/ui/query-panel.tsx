import { Button, Skeleton } from "@mantine/core";
import type { ReactNode } from "react";
import { Component } from "react";
import { ApiProblem } from "@/shared/api/problem";
import { CopyableText } from "./copy-button";
import styles from "./query-panel.module.css";
import { StatusIcon } from "./status";

/** What a panel needs to know of a query; TanStack's result fits. */
export interface QueryState<T> {
  data: T | undefined;
  error: unknown;
  isPending: boolean;
  refetch: () => unknown;
}

interface QueryPanelProps<T> {
  query: QueryState<T>;
  /** Height of the skeleton in pixels: the size the content will have, so that nothing jumps. */
  height: number;
  /** Lines in the skeleton. */
  lines?: number;
  /** Whether the answer has nothing to show, and what stands there then. */
  isEmpty?: (data: T) => boolean;
  empty?: ReactNode;
  children: (data: T) => ReactNode;
}

/**
 * Draws one panel in its four states: loading, failed, empty, there. A failure keeps the last known content below the
 * message (stale) and never takes other panels with it.
 */
export function QueryPanel<T>({ query, height, lines = 4, isEmpty, empty, children }: QueryPanelProps<T>) {
  if (query.data !== undefined) {
    const isNothing = isEmpty?.(query.data) ?? false;
    return (
      <Boundary>
        {query.error !== null && query.error !== undefined ? <Failed error={query.error} retry={query.refetch} isStale /> : null}
        {isNothing ? empty : children(query.data)}
      </Boundary>
    );
  }
  if (query.error) return <Failed error={query.error} retry={query.refetch} />;
  return <LoadingSkeleton height={height} lines={lines} />;
}

export function LoadingSkeleton({ height, lines = 4 }: { height: number; lines?: number }) {
  const gap = 10;
  const each = Math.max(10, (height - gap * (lines - 1)) / lines);
  return (
    <div className={styles.waiting} style={{ height }} role="status" aria-label="Loading">
      {Array.from({ length: lines }, (_, index) => index).map((index) => (
        <Skeleton key={index} height={Math.min(each, 26)} width={index % 3 === 2 ? "70%" : "100%"} radius={4} />
      ))}
    </div>
  );
}

export function Failed({ error, retry, isStale = false }: { error: unknown; retry?: () => unknown; isStale?: boolean }) {
  const problem = ApiProblem.of(error);
  return (
    <div className={styles.failed} role="alert">
      <StatusIcon status="warn" size={14} />
      <div>
        <div className={styles.title}>{isStale ? `Couldn't refresh: ${problem.title}` : problem.title}</div>
        {problem.detail && problem.detail !== problem.title ? <div className={styles.detail}>{problem.detail}</div> : null}
        {problem.requestId ? (
          <div className={styles.detail}>
            Request ID <CopyableText text={problem.requestId} label="request id" />
          </div>
        ) : null}
      </div>
      {retry ? (
        <Button size="compact-xs" onClick={() => retry()}>
          Retry
        </Button>
      ) : null}
    </div>
  );
}

interface EmptyProps {
  title: string;
  children?: ReactNode;
  /** The next thing to do, as a link or a button. */
  action?: ReactNode;
}

export function Empty({ title, children, action }: EmptyProps) {
  return (
    <div className={styles.empty}>
      <div className={styles.title}>{title}</div>
      {children ? <div className={styles.detail}>{children}</div> : null}
      {action ? <div className={styles.action}>{action}</div> : null}
    </div>
  );
}

/** Keeps a fault in drawing one panel inside that panel. */
export class Boundary extends Component<{ children: ReactNode }, { error: unknown }> {
  override state = { error: null as unknown };

  static getDerivedStateFromError(error: unknown) {
    return { error };
  }

  override render() {
    if (this.state.error !== null) return <Failed error={this.state.error} retry={() => this.setState({ error: null })} />;
    return this.props.children;
  }
}
