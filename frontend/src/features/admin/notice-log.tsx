import { Button } from "@mantine/core";
import { useInfiniteQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { api } from "@/shared/api/client";
import type { Notice, NoticeDelivery } from "@/shared/api/types";
import { visible } from "@/shared/lib/text";
import { Empty, Failed, Waiting } from "@/shared/ui/query-panel";
import { Outcome } from "@/shared/ui/status";
import { Instant } from "@/shared/ui/time-ago";
import { LOG } from "./notice-labels";
import styles from "./notices.module.css";

/** What was told, newest first, and what became of each delivery. */
export function NoticeLog() {
  const log = useInfiniteQuery({
    queryKey: LOG,
    queryFn: async ({ pageParam, signal }) => {
      const { data } = await api.GET("/api/v1/notices", { params: { query: { before: pageParam } }, signal });
      if (!data) throw new TypeError("the log had no body");
      return data;
    },
    initialPageParam: undefined as number | undefined,
    getNextPageParam: (last) => last.next ?? undefined,
    refetchInterval: 15_000,
  });
  const items = log.data?.pages.flatMap((page) => page.items);
  return (
    <section aria-label="What was told" style={{ marginTop: 28 }}>
      <h2>
        What was told <span className="dim">kept for 90 days</span>
      </h2>
      {log.isPending ? <Waiting height={160} /> : null}
      {log.error ? <Failed error={log.error} retry={log.refetch} isStale={items !== undefined} /> : null}
      {items?.length === 0 ? <Empty title="Nothing yet.">Notices and tests stand here with what their receivers answered.</Empty> : null}
      {items && items.length > 0 ? (
        <ul className={styles.log}>
          {items.map((notice) => (
            <Told key={notice.id} notice={notice} />
          ))}
        </ul>
      ) : null}
      {log.hasNextPage ? (
        <Button onClick={() => void log.fetchNextPage()} loading={log.isFetchingNextPage} style={{ marginTop: 12 }}>
          Show earlier ones
        </Button>
      ) : null}
    </section>
  );
}

function Told({ notice }: { notice: Notice }) {
  return (
    <li>
      <div className={styles.when}>
        <Instant at={notice.at} form="moment" />
        <div className="dim small">{visible(notice.group_name)}</div>
      </div>
      <div className={styles.said}>
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
        {notice.kept_back ? <Outcome status="excluded">kept back: {visible(notice.kept_back)}</Outcome> : null}
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
      look at it
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
  const name = visible(delivery.channel_name);
  if (delivery.state === "sent") {
    return (
      <Outcome status="pass">
        {name}
        <span className="dim">: {visible(delivery.words)}</span>
      </Outcome>
    );
  }
  if (delivery.state === "given_up") {
    return (
      <Outcome status="fail">
        {name}: given up{delivery.tries > 1 ? ` after ${delivery.tries} tries` : ""}: {visible(delivery.words)}
      </Outcome>
    );
  }
  if (!delivery.words) return <Outcome status="running">{name}: on its way</Outcome>;
  return (
    <Outcome status="warn">
      {name}: {visible(delivery.words)}; next try <Instant at={delivery.due_at} form="moment" />
    </Outcome>
  );
}
