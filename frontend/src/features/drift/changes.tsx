import { createContext, use, useCallback, useDeferredValue, useMemo } from "react";
import { causeLabel } from "@/entities/host/labels";
import { useCan } from "@/entities/person/queries";
import { TicketNumbers } from "@/entities/ticket/ticket-list";
import { count, plural } from "@/shared/lib/format";
import type { PatchSearch } from "@/shared/lib/patch-search";
import { visible } from "@/shared/lib/text";
import { type Column, DataTable } from "@/shared/ui/data-table/data-table";
import { useRowSelection } from "@/shared/ui/data-table/use-row-selection";
import { TimeAgo } from "@/shared/ui/time-ago";
import { FromTo } from "@/shared/ui/verbatim";
import styles from "./drift.module.css";
import { EventPanel } from "./event-panel";
import { EventSelection } from "./event-selection";
import type { DriftSearch } from "./search";
import type { ChangeGroup, DriftPage } from "./types";

interface ChangesProps {
  data: DriftPage;
  search: DriftSearch;
  setSearch: PatchSearch<DriftSearch>;
}

/** One row for each event, newest first; what Plumbline's own jobs did and what people marked as expected are separate. */
export function Changes({ data, search, setSearch }: ChangesProps) {
  const unexpected = useMemo(() => data.groups.filter((group) => !group.is_expected), [data.groups]);
  const expected = useMemo(() => data.groups.filter((group) => group.is_expected), [data.groups]);
  const ids = useMemo(() => [...unexpected, ...expected].map(idOf), [unexpected, expected]);
  const { selected, setSelected, select } = useRowSelection(ids);
  const can = useCan();
  // An event that is no longer listed, such as one that a filter leaves out, is not acted on.
  const shown = useMemo(() => new Set(ids.filter((id) => selected.has(id))), [ids, selected]);
  const table = {
    search,
    setSearch,
    selection: can.draft_plans || can.send_tickets ? { selected: shown, setSelected, select } : undefined,
  };
  const isListed = data.groups.some((group) => group.id === String(search.event));
  return (
    <>
      {search.event !== undefined && !isListed ? (
        <section className="section" aria-label="Event">
          <h2>
            Event{" "}
            <button type="button" className={styles.look} onClick={() => setSearch({ event: undefined }, true)}>
              Close
            </button>
          </h2>
          <EventPanel eventId={String(search.event)} group={search.group} unread={search.unread === "yes"} />
        </section>
      ) : null}
      {unexpected.length > 0 ? (
        <section aria-label="Unplanned changes">
          <Table groups={unexpected} {...table} />
        </section>
      ) : null}
      {expected.length > 0 ? (
        <section className="section" aria-label="Expected changes">
          <h2>
            Expected changes <span className="dim">by Plumbline jobs, or marked as expected</span>
          </h2>
          <Table groups={expected} {...table} />
        </section>
      ) : null}
      <EventSelection selected={shown} group={search.group} unread={search.unread === "yes"} clear={() => setSelected(new Set())} />
      {data.more > 0 ? <p className="dim">{count(data.more)} older entries not shown. Choose a shorter period.</p> : null}
      {data.is_cut ? <p className="dim">Too many changes to show all. The oldest are left out.</p> : null}
    </>
  );
}

/** The event that is open, and what opens or closes one: the rows themselves are the same whichever is. */
const OpenEvent = createContext<{ open: string | null; toggle: (id: string) => void }>({ open: null, toggle: () => undefined });

const idOf = (group: ChangeGroup) => group.id;

interface TableProps extends Omit<ChangesProps, "data"> {
  groups: ChangeGroup[];
  /** Of all tables together; none for people who may not act. */
  selection: Pick<ReturnType<typeof useRowSelection>, "selected" | "setSelected" | "select"> | undefined;
}

function Table({ groups, search, setSearch, selection }: TableProps) {
  const open = search.event === undefined ? null : String(search.event);
  // The button answers at once, the panel follows.
  const drawn = useDeferredValue(open);
  const unread = search.unread === "yes";
  const context = useMemo(
    () => ({ open, toggle: (id: string) => setSearch({ event: open === id ? undefined : Number(id) }, true) }),
    [open, setSearch],
  );
  const detail = useCallback(
    (group: ChangeGroup) => <EventPanel eventId={group.id} group={search.group} unread={unread} />,
    [search.group, unread],
  );
  return (
    <OpenEvent value={context}>
      <DataTable
        columns={COLUMNS}
        rows={groups}
        rowKey={idOf}
        detail={detail}
        detailRow={drawn}
        {...(selection ? { selection: selectionOf(groups, selection) } : {})}
      />
    </OpenEvent>
  );
}

/** The selection as one of the tables has it: its head turns its own rows alone. */
function selectionOf(groups: readonly ChangeGroup[], { selected, setSelected, select }: NonNullable<TableProps["selection"]>) {
  const own = groups.map(idOf);
  const here = new Set(own.filter((id) => selected.has(id)));
  const selectAll = () =>
    setSelected(here.size < own.length ? new Set([...selected, ...own]) : new Set([...selected].filter((id) => !here.has(id))));
  return { selected: here, total: own.length, allLabel: "Select all events", nameOf, select, selectAll };
}

const nameOf = (group: ChangeGroup) => `${group.label} on ${visible(onlyHost(group)?.name ?? plural(group.host_count, "host"))}`;

const onlyHost = (group: ChangeGroup) => (group.host_count === 1 ? group.hosts[0] : undefined);

const COLUMNS: Column<ChangeGroup>[] = [
  { head: "Hosts", isNumber: true, className: "strong", width: 48, cell: (group) => count(group.host_count) },
  { head: "Change", cell: (group) => <WhatChanged group={group} /> },
  {
    head: "Likely cause",
    cell: (group) => (
      <>
        <Cause group={group} />
        <TicketNumbers tickets={group.tickets} />
      </>
    ),
  },
  { head: "Where", cell: (group) => visible(onlyHost(group)?.name ?? group.group_name) },
  { head: "Time", className: "nowrap", cell: (group) => <TimeAgo at={group.last_at} form="moment" /> },
  {
    head: "View",
    isHeadHidden: true,
    isNumber: true,
    cell: (group) => <ViewButton group={group} />,
  },
];

function ViewButton({ group }: { group: ChangeGroup }) {
  const { open, toggle } = use(OpenEvent);
  const isOpen = open === group.id;
  return (
    <button
      type="button"
      className={styles.look}
      aria-expanded={isOpen}
      aria-label={`${isOpen ? "Hide" : "View"} ${nameOf(group)}`}
      onClick={() => toggle(group.id)}
    >
      {isOpen ? "Hide" : "View"}
    </button>
  );
}

function WhatChanged({ group }: { group: ChangeGroup }) {
  const kind = group.key.split(".")[0] ?? "";
  // A setting that changed to several values is named once.
  const others = [...new Set(group.effects.map((effect) => effect.label))];
  return (
    <>
      {visible(group.label)} <FromTo from={group.old} to={group.new} />
      {group.subjects > group.host_count ? <span className="dim small">, {plural(group.subjects, kind)}</span> : null}
      {group.effect_count > 0 ? (
        <div className="dim small" title={group.effects.map((effect) => `${effect.label}: ${effect.old} → ${effect.new}`).join("\n")}>
          and {plural(group.effect_count, "other setting")}: {others.slice(0, 3).join(", ")}
          {others.length > 3 || group.effect_count > group.effects.length ? ", …" : ""}
        </div>
      ) : null}
    </>
  );
}

/** The work of ours by its number; else the kind of cause and what it rests on. */
function Cause({ group }: { group: ChangeGroup }) {
  const [job] = group.jobs;
  if (job && group.job_count === 1) {
    return (
      <>
        Plumbline job {job.job_id}
        <span className="dim">: {visible(group.cause_detail)}</span>
      </>
    );
  }
  return (
    <>
      {causeLabel(group.cause)}
      {group.cause_detail ? <span className="dim">: {visible(group.cause_detail)}</span> : null}
    </>
  );
}
