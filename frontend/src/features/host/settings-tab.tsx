import { Select, TextInput } from "@mantine/core";
import { useDebouncedCallback } from "@mantine/hooks";
import { useDeferredValue, useEffect, useMemo, useState } from "react";
import { useCan } from "@/entities/person/queries";
import { count, NO_DATA, plural } from "@/shared/lib/format";
import type { PatchSearch } from "@/shared/lib/patch-search";
import { visible } from "@/shared/lib/text";
import { CopyButton } from "@/shared/ui/copy-button";
import { type Column, DataTable } from "@/shared/ui/data-table/data-table";
import { Empty, QueryPanel } from "@/shared/ui/query-panel";
import { StatusLabel } from "@/shared/ui/status";
import { TimeAgo } from "@/shared/ui/time-ago";
import { Verbatim } from "@/shared/ui/verbatim";
import { EnterValue } from "./enter-value";
import styles from "./host.module.css";
import { effectLabel, subjectKindLabel } from "./labels";
import { useSettings } from "./queries";
import type { HostSearch } from "./search";
import { bySubject, matchSettings } from "./settings";
import type { HostSetting } from "./types";

interface SettingsTabProps {
  hostId: string;
  search: HostSearch;
  setSearch: PatchSearch<HostSearch>;
}

export function SettingsTab({ hostId, search, setSearch }: SettingsTabProps) {
  const settings = useSettings(hostId);
  const mayEnter = useCan().attest ?? false;
  return (
    <QueryPanel
      query={settings}
      height={520}
      lines={16}
      isEmpty={(data) => data.items.length === 0}
      empty={<Empty title="No settings yet">Settings appear after the first complete check-in.</Empty>}
    >
      {(data) => (
        <Settings items={data.items} asOf={data.as_of ?? null} entersAt={mayEnter ? hostId : null} search={search} setSearch={setSearch} />
      )}
    </QueryPanel>
  );
}

const STATES = [
  { value: "", label: "Any" },
  { value: "value", label: "Has a value" },
  { value: "unknown", label: "Unknown" },
  { value: "not_offered", label: "Not supported" },
] as const;

interface SettingsProps {
  items: HostSetting[];
  asOf: string | null;
  /** The host at which this person may enter what the host doesn't report; null where he may not. */
  entersAt: string | null;
  search: HostSearch;
  setSearch: PatchSearch<HostSearch>;
}

const columnsOf = (entersAt: string | null): Column<HostSetting>[] => [
  {
    head: "Setting",
    width: "26%",
    cell: (item) => (
      <>
        <span title={item.meaning}>{item.label}</span>
        <span className="nowrap">
          <span className="dim small mono"> {item.key}</span>
          <CopyButton text={item.address} label="setting key" />
        </span>
      </>
    ),
  },
  {
    head: "Value",
    cell: (item) => (
      <>
        {item.state === "value" ? (
          <Verbatim of={item.text} />
        ) : (
          <>
            <StatusLabel status={item.state === "unknown" ? "unknown" : "not_applicable"}>
              {item.state === "unknown" ? "Unknown" : "Not supported by driver"}
            </StatusLabel>
            <div className="dim small">{visible(item.reason)}</div>
          </>
        )}
        {item.choices && entersAt !== null ? (
          <div style={{ marginTop: 6 }}>
            <EnterValue hostId={entersAt} item={item} />
          </div>
        ) : null}
        {item.counterpart_text ? <div className="dim small">Stored: {visible(item.counterpart_text)}</div> : null}
      </>
    ),
  },
  { head: "Layer", className: "dim", cell: (item) => item.layer },
  { head: "Takes effect", className: "dim", cell: (item) => effectLabel(item.takes_effect) || NO_DATA },
  { head: "Source", className: "dim small", cell: (item) => <HowRead item={item} /> },
];

function Settings({ items, asOf, entersAt, search, setSearch }: SettingsProps) {
  const shown = useMemo(() => matchSettings(items, search), [items, search]);
  const subjects = useMemo(() => bySubject(shown), [shown]);
  // The first item is on screen at once; the others, some hundred rows, follow without holding up what the person does.
  const drawn = useDeferredValue(subjects, subjects.slice(0, 1));
  const kinds = [...new Set(items.map((item) => item.subject.kind))];
  return (
    <>
      <div className={styles.filters}>
        <SearchField value={search.q ?? ""} set={(q) => setSearch({ q: q || undefined }, true)} />
        <Select
          label="Item type"
          size="xs"
          w={160}
          data={[{ value: "", label: "All" }, ...kinds.map((kind) => ({ value: kind, label: subjectKindLabel(kind) }))]}
          value={search.kind ?? ""}
          onChange={(chosen) => setSearch({ kind: chosen || undefined })}
        />
        <Select
          label="State"
          size="xs"
          w={140}
          data={[...STATES]}
          value={search.state ?? ""}
          onChange={(chosen) =>
            setSearch({
              state: STATES.map((one) => one.value).find((one): one is "value" | "unknown" | "not_offered" => one !== "" && one === chosen),
            })
          }
        />
        <span className="dim small" aria-live="polite">
          {count(shown.length)} of {plural(items.length, "setting")}
          {asOf ? (
            <>
              , as of <TimeAgo at={asOf} form="exact" />
            </>
          ) : null}
        </span>
      </div>
      {drawn.length === 0 ? <Empty title="No matching settings">Search by part of the name, key or value.</Empty> : null}
      {drawn.map((subject) => (
        <section key={subject.key} className={styles.subject} aria-label={subject.label}>
          <h2>
            {visible(subject.label)} <span className="dim">{subjectKindLabel(subject.kind)}</span>{" "}
            {subject.id ? <span className="dim mono">{visible(subject.id)}</span> : null}
          </h2>
          <DataTable columns={columnsOf(entersAt)} rows={subject.items} rowKey={(item) => item.address} />
        </section>
      ))}
    </>
  );
}

function SearchField({ value, set }: { value: string; set: (words: string) => void }) {
  const [text, setText] = useState(value);
  const later = useDebouncedCallback(set, 150);
  useEffect(() => setText(value), [value]);
  return (
    <TextInput
      label="Search settings"
      size="xs"
      style={{ flex: "1 1 220px" }}
      maw={360}
      placeholder="mtu, delayed ack, 9000"
      value={text}
      onChange={(event) => {
        setText(event.currentTarget.value);
        later(event.currentTarget.value);
      }}
    />
  );
}

function HowRead({ item }: { item: HostSetting }) {
  const source = item.source;
  if (!source) return <>{NO_DATA}</>;
  if (source.section === "person") return <>Entered manually; the host doesn't report it</>;
  if (source.section === "vcenter") return <>Imported from vCenter {visible(source.command)}; the host doesn't report it</>;
  return (
    <>
      {source.section}: <span className="mono">{visible(source.command)}</span>
      {source.member ? (
        <div>
          File: <span className="mono">{visible(source.member)}</span>
        </div>
      ) : null}
      {source.raw ? (
        <div>
          Raw value: <Verbatim of={source.raw.length > 160 ? `${source.raw.slice(0, 160)}…` : source.raw} />
        </div>
      ) : null}
      {source.is_proven ? null : <div>Not yet confirmed on a real host</div>}
    </>
  );
}
