import { Button } from "@mantine/core";
import { useInfiniteQuery, useMutation, useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { api } from "@/shared/api/client";
import { visible } from "@/shared/lib/text";
import { ShowMore, usePages } from "@/shared/ui/paged-list";
import { Empty, Failed, LoadingSkeleton } from "@/shared/ui/query-panel";
import { StatusLabel } from "@/shared/ui/status";
import { TimeAgo } from "@/shared/ui/time-ago";
import styles from "./notices.module.css";
import { noticesKey } from "./queries";
import type { Notice, NoticeDelivery } from "./types";

/** Notices sent, newest first, and what became of each delivery. */
export function NoticeLog() {
  const log = useInfiniteQuery({
    queryKey: noticesKey,
    queryFn: async ({ pageParam, signal }) => {
      const { data } = await api.GET("/api/v1/notices", { params: { query: { before: pageParam } }, signal });
      if (!data) throw new TypeError("the log had no body");
      return data;
    },
    initialPageParam: undefined as number | undefined,
    getNextPageParam: (last) => last.next ?? undefined,
    refetchInterval: 15_000,
  });
  const { rows: items } = usePages(log);
  return (
    <section aria-label="Notification log" style={{ marginTop: 28 }}>
      <h2>
        Notification log <span className="dim">last 90 days</span>
      </h2>
      {log.isPending ? <LoadingSkeleton height={160} /> : null}
      {log.error ? <Failed error={log.error} retry={log.refetch} isStale={log.data !== undefined} /> : null}
      {log.data && items.length === 0 ? (
        <Empty title="No notifications yet">Sent notifications and tests appear here with their delivery status.</Empty>
      ) : null}
      {items.length > 0 ? (
        <ul className={styles.log}>
          {items.map((notice) => (
            <DeliveryStatus key={notice.id} notice={notice} />
          ))}
        </ul>
      ) : null}
      <div style={{ marginTop: 12 }}>
        <ShowMore query={log} label="Show older" />
      </div>
    </section>
  );
}

function DeliveryStatus({ notice }: { notice: Notice }) {
  return (
    <li>
      <div className={styles.when}>
        <TimeAgo at={notice.at} form="moment" />
        <div className="dim small">{visible(notice.group_name)}</div>
      </div>
      <div className={styles.summary}>
        <div className="strong">{visible(notice.title)}</div>
        {notice.lines.length > 0 ? <Lines lines={notice.lines} /> : null}
        <div className="dim small">
          {notice.kind_words}
          {notice.page && notice.kind !== "test" ? (
            <>
              {" · "}
              <Page page={notice.page} />
            </>
          ) : null}
        </div>
      </div>
      <div className={styles.deliveries}>
        {notice.kept_back ? <StatusLabel status="excluded">Suppressed: {visible(notice.kept_back)}</StatusLabel> : null}
        {notice.deliveries.map((delivery) => (
          <Delivery key={delivery.id} delivery={delivery} />
        ))}
      </div>
    </li>
  );
}

function Page({ page }: { page: string }) {
  const place = new URL(page, window.location.origin);
  return (
    <Link to={place.pathname} search={Object.fromEntries(place.searchParams)} className="link">
      View
    </Link>
  );
}

function Lines({ lines }: { lines: readonly string[] }) {
  const [first = "", ...more] = lines;
  return (
    <div className="small">
      {visible(first)}
      {more.length > 0 ? (
        <details>
          <summary className="dim">{more.length} more</summary>
          {more.map((line) => (
            <div key={line}>{visible(line)}</div>
          ))}
        </details>
      ) : null}
    </div>
  );
}

function Delivery({ delivery }: { delivery: NoticeDelivery }) {
  return (
    <div className={styles.delivery}>
      <DeliveryState delivery={delivery} />
      {delivery.state === "waiting" ? null : <SendAgain delivery={delivery} />}
    </div>
  );
}

function SendAgain({ delivery }: { delivery: NoticeDelivery }) {
  const client = useQueryClient();
  const replay = useMutation({
    mutationFn: () => api.POST("/api/v1/notices/deliveries/{delivery_id}/replay", { params: { path: { delivery_id: delivery.id } } }),
    onSuccess: () => client.invalidateQueries({ queryKey: noticesKey }),
  });
  return (
    <>
      <Button
        size="compact-xs"
        aria-label={`Send again to ${visible(delivery.channel_name)}`}
        loading={replay.isPending}
        onClick={() => replay.mutate()}
      >
        Send again
      </Button>
      {replay.error ? <Failed error={replay.error} /> : null}
    </>
  );
}

function DeliveryState({ delivery }: { delivery: NoticeDelivery }) {
  const name = visible(delivery.channel_name);
  if (delivery.state === "sent") {
    return (
      <StatusLabel status="pass">
        {name}
        <span className="dim">: {visible(delivery.words)}</span>
      </StatusLabel>
    );
  }
  if (delivery.state === "given_up") {
    return (
      <StatusLabel status="fail">
        {name}: failed{delivery.tries > 1 ? ` after ${delivery.tries} attempts` : ""}: {visible(delivery.words)}
      </StatusLabel>
    );
  }
  if (!delivery.words) return <StatusLabel status="running">{name}: sending</StatusLabel>;
  return (
    <StatusLabel status="warn">
      {name}: {visible(delivery.words)}; next attempt <TimeAgo at={delivery.due_at} form="moment" />
    </StatusLabel>
  );
}
