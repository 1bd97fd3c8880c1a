import { Select, TextInput } from "@mantine/core";
import { useDebouncedCallback } from "@mantine/hooks";
import { useEffect, useMemo, useState } from "react";
import { useCan } from "@/entities/person/queries";
import type { HostSetting } from "@/shared/api/types";
import { count, NO_DATA, plural } from "@/shared/lib/format";
import type { PatchSearch } from "@/shared/lib/patch-search";
import { visible } from "@/shared/lib/text";
import { CopyAction } from "@/shared/ui/copy-button";
import { Empty, Panel } from "@/shared/ui/query-panel";
import { ScrollX } from "@/shared/ui/scroll-x";
import { Outcome } from "@/shared/ui/status";
import { Instant } from "@/shared/ui/time-ago";
import { Said } from "@/shared/ui/verbatim";
import { EnterValue } from "./enter-value";
import styles from "./host.module.css";
import { effectWord, subjectKindWord } from "./labels";
import { useSettings } from "./queries";
import type { HostSearch } from "./search";
import { bySubject, matchSettings } from "./settings";

interface SettingsTabProps {
  hostId: string;
  search: HostSearch;
  setSearch: PatchSearch<HostSearch>;
}

export function SettingsTab({ hostId, search, setSearch }: SettingsTabProps) {
  const settings = useSettings(hostId);
  const mayEnter = useCan().attest ?? false;
  return (
    <Panel
      query={settings}
      height={520}
      lines={16}
      isEmpty={(data) => data.items.length === 0}
      empty={<Empty title="No setting has been read yet.">The first check-in with its sections brings them.</Empty>}
    >
      {(data) => (
        <Settings items={data.items} asOf={data.as_of ?? null} entersAt={mayEnter ? hostId : null} search={search} setSearch={setSearch} />
      )}
    </Panel>
  );
}

const STATES = [
  { value: "", label: "any" },
  { value: "value", label: "with a value" },
  { value: "unknown", label: "unknown" },
  { value: "not_offered", label: "not offered" },
] as const;

interface SettingsProps {
  items: HostSetting[];
  asOf: string | null;
  /** The host at which this person may enter what the host cannot tell; null where he may not. */
  entersAt: string | null;
  search: HostSearch;
  setSearch: PatchSearch<HostSearch>;
}

function Settings({ items, asOf, entersAt, search, setSearch }: SettingsProps) {
  const shown = useMemo(() => matchSettings(items, search), [items, search]);
  const subjects = useMemo(() => bySubject(shown), [shown]);
  const kinds = [...new Set(items.map((item) => item.subject.kind))];
  return (
    <>
      <div className={styles.filters}>
        <Words value={search.q ?? ""} set={(q) => setSearch({ q: q || undefined }, true)} />
        <Select
          label="About"
          size="xs"
          w={160}
          data={[{ value: "", label: "everything" }, ...kinds.map((kind) => ({ value: kind, label: subjectKindWord(kind) }))]}
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
              , as of <Instant at={asOf} form="exact" />
            </>
          ) : null}
        </span>
      </div>
      {shown.length === 0 ? <Empty title="No setting matches.">Look for a part of its name, its key or its value.</Empty> : null}
      {subjects.map((subject) => (
        <section key={subject.key} className={styles.subject} aria-label={subject.label}>
          <h2>
            {visible(subject.label)} <span className="dim">{subjectKindWord(subject.kind)}</span>{" "}
            {subject.id ? <span className="dim mono">{visible(subject.id)}</span> : null}
          </h2>
          <ScrollX>
            <table className={`data ${styles.settings}`} data-fits>
              <thead>
                <tr>
                  <th scope="col">setting</th>
                  <th scope="col">value</th>
                  <th scope="col" className="on-desk">
                    layer
                  </th>
                  <th scope="col" className="on-desk">
                    takes effect
                  </th>
                  <th scope="col" className="on-desk">
                    how it was read
                  </th>
                </tr>
              </thead>
              <tbody>
                {subject.items.map((item) => (
                  <Row key={item.address} item={item} entersAt={entersAt} />
                ))}
              </tbody>
            </table>
          </ScrollX>
        </section>
      ))}
    </>
  );
}

function Row({ item, entersAt }: { item: HostSetting; entersAt: string | null }) {
  return (
    <tr>
      <td>
        <span title={item.meaning}>{item.label}</span>
        <span className="nowrap">
          <span className="dim small mono"> {item.key}</span>
          <CopyAction text={item.address} label="address of the setting" />
        </span>
        <div className="dim small on-phone">{[item.layer, effectWord(item.takes_effect)].filter(Boolean).join("; takes effect: ")}</div>
      </td>
      <td>
        {item.state === "value" ? (
          <Said of={item.text} />
        ) : (
          <>
            <Outcome status={item.state === "unknown" ? "unknown" : "not_applicable"}>
              {item.state === "unknown" ? "unknown" : "not offered"}
            </Outcome>
            <div className="dim small">{visible(item.reason)}</div>
          </>
        )}
        {item.choices && entersAt !== null ? (
          <div style={{ marginTop: 6 }}>
            <EnterValue hostId={entersAt} item={item} />
          </div>
        ) : null}
        {item.counterpart_text ? <div className="dim small">stored: {visible(item.counterpart_text)}</div> : null}
        <div className="dim small on-phone">
          <HowRead item={item} />
        </div>
      </td>
      <td className="dim on-desk">{item.layer}</td>
      <td className="dim on-desk">{effectWord(item.takes_effect) || NO_DATA}</td>
      <td className="dim small on-desk">
        <HowRead item={item} />
      </td>
    </tr>
  );
}

function Words({ value, set }: { value: string; set: (words: string) => void }) {
  const [text, setText] = useState(value);
  const later = useDebouncedCallback(set, 150);
  useEffect(() => setText(value), [value]);
  return (
    <TextInput
      label="Search the settings"
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
  if (source.section === "person") return <>entered by a person, since the host cannot tell it</>;
  if (source.section === "vcenter") return <>imported from the vCenter {visible(source.command)}, since the host cannot tell it</>;
  return (
    <>
      {source.section}: <span className="mono">{visible(source.command)}</span>
      {source.raw ? (
        <div>
          the host said <Said of={source.raw.length > 160 ? `${source.raw.slice(0, 160)}…` : source.raw} />
        </div>
      ) : null}
    </>
  );
}
