import { Button, Drawer, Select } from "@mantine/core";
import { useDisclosure, useMediaQuery } from "@mantine/hooks";
import { Link, useNavigate } from "@tanstack/react-router";
import { useCallback, useDeferredValue, useEffect, useMemo, useState } from "react";
import { CsvDownload } from "@/entities/person/csv-download";
import { plural } from "@/shared/lib/format";
import { useHotkeyMap } from "@/shared/lib/hotkeys";
import type { PatchSearch } from "@/shared/lib/patch-search";
import { useRowSelection } from "@/shared/ui/data-table/use-row-selection";
import { Empty, QueryPanel } from "@/shared/ui/query-panel";
import { TimeAgo } from "@/shared/ui/time-ago";
import { GIVE_WAY, HIDDEN_AT_FIRST } from "./columns";
import { HostFacetPanel } from "./host-facets";
import { HostList } from "./host-list";
import styles from "./hosts.module.css";
import { Peek } from "./peek";
import { DEFAULT_SORT, useFacets, useHostPages } from "./queries";
import { filtersOf, type HostsSearch } from "./search";
import { SelectionBar } from "./selection-bar";
import { useSteadyRows } from "./use-steady-rows";
import { ViewMenu } from "./view-menu";

interface HostsPageProps {
  search: HostsSearch;
  setSearch: PatchSearch<HostsSearch>;
  canCheckNow: boolean;
}

export function HostsPage({ search, setSearch, canCheckNow }: HostsPageProps) {
  const isPhone = useMediaQuery("(max-width: 720px)") ?? false;
  const navigate = useNavigate();
  const filters = filtersOf(search);
  const sort = search.sort ?? DEFAULT_SORT;
  const pages = useHostPages(filters, sort);
  const facets = useFacets(filters);
  const [isFilterOpen, filterDrawer] = useDisclosure(false);
  const [current, setCurrent] = useState<string | undefined>();
  const [isLoadingAll, setLoadingAll] = useState(false);

  const fresh = useMemo(() => pages.data?.pages.flatMap((page) => page.items) ?? [], [pages.data]);
  const question = JSON.stringify([filters, sort]);
  const { rows: newestRows, hold } = useSteadyRows(fresh, question, pages.isPlaceholderData);
  // A press on a head or a filter shows at once; the rows follow without holding up the next press.
  const drawn = useDeferredValue(newestRows);
  // The first rows are drawn as they come: none before them is not "No matching hosts".
  const rows = drawn.length === 0 ? newestRows : drawn;
  const ids = useMemo(() => rows.map((host) => host.id), [rows]);
  const { selected, setSelected, select } = useRowSelection(ids);
  const newest = pages.data?.pages[0];
  const total = newest?.total ?? 0;
  const hidden = search.hide ?? HIDDEN_AT_FIRST;
  const isMedium = useMediaQuery("(max-width: 1320px)") ?? false;
  const isSmall = useMediaQuery("(max-width: 1020px)") ?? false;
  const isTight = useMediaQuery("(max-width: 1180px)") ?? false;
  // The finding keeps room to be read: the columns of lesser use give way first.
  const spare = (search.peek && !isSmall ? (isTight ? 4 : 3) : 0) + (isMedium ? 1 : 0) + (isTight ? 2 : 0);
  const leftOut = useMemo(() => [...hidden, ...GIVE_WAY.slice(0, spare)], [hidden, spare]);

  // A selection is of what matches: another filter begins with none.
  const matching = JSON.stringify(filters);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the filter alone ends a selection
  useEffect(() => setSelected(new Set()), [matching]);

  const { hasNextPage, isFetchingNextPage, fetchNextPage } = pages;
  const loadMore = useCallback(() => {
    if (hasNextPage && !isFetchingNextPage) void fetchNextPage();
  }, [hasNextPage, isFetchingNextPage, fetchNextPage]);

  const selectAll = async () => {
    if (selected.size >= total && total > 0) {
      setSelected(new Set());
      return;
    }
    setLoadingAll(true);
    let known = pages.data;
    while (known?.pages.at(-1)?.next) {
      const answer = await fetchNextPage();
      if (answer.isError) break;
      known = answer.data;
    }
    setSelected(new Set(known?.pages.flatMap((page) => page.items.map((host) => host.id)) ?? []));
    setLoadingAll(false);
  };
  const move = (by: number) => {
    const at = current === undefined ? -1 : ids.indexOf(current);
    const next = ids[Math.min(ids.length - 1, Math.max(0, at + by))];
    setCurrent(next);
    if (search.peek && next) setSearch({ peek: next }, true);
  };
  useHotkeyMap({
    j: () => move(1),
    k: () => move(-1),
    x: () => current && select(current, false),
    " ": () => current && setSearch({ peek: search.peek === current ? undefined : current }, true),
    Enter: () => current && void navigate({ to: "/hosts/$hostId", params: { hostId: current } }),
    Escape: () => search.peek && setSearch({ peek: undefined }, true),
    f: () => document.getElementById("filter-hosts")?.focus(),
  });

  const facetPanel = (
    <QueryPanel query={facets} height={420} lines={12}>
      {(data) => <HostFacetPanel facets={data} search={search} setSearch={setSearch} />}
    </QueryPanel>
  );
  return (
    <>
      <div className="page-head">
        <h1>{pages.data ? plural(total, "host") : "Hosts"}</h1>
        <span className="dim small">{newest ? <TimeAgo at={newest.as_of} form="exact" /> : null}</span>
        <div className="end">
          {isSmall ? <Button onClick={filterDrawer.open}>Filter</Button> : null}
          {isPhone ? (
            <PhoneSort sort={sort} setSort={(next) => setSearch({ sort: next })} />
          ) : (
            <ViewMenu hidden={hidden} setHidden={(hide) => setSearch({ hide: hide.length > 0 ? hide : ["none"] }, true)} />
          )}
          <Button renderRoot={(props) => <Link to="/assess" {...props} />}>Assess a bundle</Button>
          <CsvDownload table="hosts.csv" about="these hosts" filters={{ ...filters, sort }} />
        </div>
      </div>
      <Drawer
        opened={isSmall && isFilterOpen}
        onClose={filterDrawer.close}
        title="Filter"
        size={320}
        closeButtonProps={{ "aria-label": "Close filters" }}
      >
        {facetPanel}
      </Drawer>
      <div className={styles.grid} data-peek={(search.peek && !isPhone) || undefined}>
        {isSmall ? null : (
          <aside className={styles.facets} aria-label="Filters" data-print="no">
            {facetPanel}
          </aside>
        )}
        <div style={{ minWidth: 0 }}>
          <QueryPanel
            query={pages}
            height={560}
            lines={14}
            isEmpty={() => rows.length === 0}
            empty={
              <Empty
                title="No matching hosts"
                action={<Button onClick={() => void navigate({ to: "/hosts", search: {} })}>Clear filters</Button>}
              >
                Remove a filter or change the search.
              </Empty>
            }
          >
            {() => (
              <HostList
                rows={rows}
                total={total}
                sort={sort}
                setSort={(next) => setSearch({ sort: next === DEFAULT_SORT ? undefined : next })}
                hidden={leftOut}
                selected={selected}
                select={select}
                selectAll={() => void selectAll()}
                peeked={search.peek}
                current={current}
                isPhone={isPhone}
                loadMore={loadMore}
                hold={hold}
              />
            )}
          </QueryPanel>
          <SelectionBar
            selected={selected}
            rows={rows}
            total={total}
            rules={search.rule}
            sort={sort}
            canCheckNow={canCheckNow}
            clear={() => setSelected(new Set())}
            selectAll={() => void selectAll()}
            isLoadingAll={isLoadingAll}
          />
        </div>
        {search.peek && !isPhone ? <Peek hostId={search.peek} close={() => setSearch({ peek: undefined }, true)} /> : null}
      </div>
    </>
  );
}

function PhoneSort({ sort, setSort }: { sort: NonNullable<HostsSearch["sort"]>; setSort: (sort: HostsSearch["sort"]) => void }) {
  const choices = [
    { value: "score", label: "Lowest score first" },
    { value: "-score", label: "Highest score first" },
    { value: "name", label: "By name" },
    { value: "last_seen", label: "Longest without check-in" },
    { value: "paths", label: "Fewest paths first" },
  ] as const;
  return (
    <Select
      aria-label="Sort by"
      style={{ flex: 1 }}
      data={[...choices]}
      value={sort}
      onChange={(chosen) => setSort(choices.find((one) => one.value === chosen)?.value)}
    />
  );
}
