import { Button } from "@mantine/core";
import { type ReactNode, useMemo } from "react";
import { QueryPanel, type QueryState } from "./query-panel";

/** What a list needs to know of a query that comes page by page; TanStack's result fits. */
export interface PagedQuery<Page> extends QueryState<{ pages: Page[] }> {
  hasNextPage: boolean;
  isFetchingNextPage: boolean;
  fetchNextPage: () => unknown;
}

export interface Pages<Item, Page = { items: Item[] }> {
  query: PagedQuery<Page>;
  /** The rows of all pages that were read. */
  rows: Item[];
  /** The first page, which has the counts of the whole. */
  first: Page | undefined;
}

export function usePages<Page extends { items: unknown[] }>(query: PagedQuery<Page>): Pages<Page["items"][number], Page> {
  const pages = query.data?.pages;
  const rows = useMemo(() => pages?.flatMap((page) => page.items as Page["items"][number][]) ?? [], [pages]);
  return { query, rows, first: pages?.[0] };
}

interface PagedListProps<Item, Page> {
  pages: Pages<Item, Page>;
  /** Of the skeleton, as in QueryPanel. */
  height: number;
  lines?: number;
  empty: ReactNode;
  moreLabel?: string;
  /** What is shown next to the button below the list. */
  aside?: ReactNode;
  children: (rows: Item[]) => ReactNode;
}

/** A list that comes page by page, in the four looks of a panel, with the button for the next page below it. */
export function PagedList<Item, Page>({ pages, height, lines, empty, moreLabel, aside, children }: PagedListProps<Item, Page>) {
  return (
    <QueryPanel query={pages.query} height={height} {...(lines ? { lines } : {})} isEmpty={() => pages.rows.length === 0} empty={empty}>
      {() => (
        <>
          {children(pages.rows)}
          {pages.query.hasNextPage || aside ? (
            <div className="row" style={{ marginTop: 10 }}>
              <ShowMore query={pages.query} {...(moreLabel ? { label: moreLabel } : {})} />
              {aside}
            </div>
          ) : null}
        </>
      )}
    </QueryPanel>
  );
}

/** Reads the next page; nothing where there is none. */
export function ShowMore({ query, label = "Show more" }: { query: Omit<PagedQuery<never>, keyof QueryState<never>>; label?: string }) {
  if (!query.hasNextPage) return null;
  return (
    <Button onClick={() => void query.fetchNextPage()} loading={query.isFetchingNextPage}>
      {label}
    </Button>
  );
}
