import { Select } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { useGroupChoices } from "@/entities/group/queries";
import type { ConflictCard, ConflictSide } from "@/entities/pack/types";
import { useSession } from "@/entities/person/queries";
import { citationText } from "@/entities/rule/labels";
import { RulesNav } from "@/entities/rule/rules-nav";
import { plural, signed } from "@/shared/lib/format";
import type { PatchSearch } from "@/shared/lib/patch-search";
import { visible } from "@/shared/lib/text";
import { type Column, DataTable } from "@/shared/ui/data-table/data-table";
import { Empty, QueryPanel } from "@/shared/ui/query-panel";
import { StatusLabel } from "@/shared/ui/status";
import { DecisionList } from "./decision-list";
import styles from "./packs.module.css";
import { Propose } from "./propose";
import { useConflicts } from "./queries";
import type { DecisionsSearch } from "./search";

/** Where active packs require opposite values: both sides with their evidence, and the resolutions by group. */
export function DecisionsPage({ search, setSearch }: { search: DecisionsSearch; setSearch: PatchSearch<DecisionsSearch> }) {
  const conflicts = useConflicts(search.group);
  const groups = useGroupChoices();
  const needed = conflicts.data?.undecided;
  return (
    <>
      <RulesNav undecided={needed} />
      <div className="page-head">
        <h1>{needed === undefined ? "Rule conflicts" : needed === 0 ? "No open conflicts" : plural(needed, "open conflict")}</h1>
        <div className="end">
          <Select
            aria-label="Group"
            size="xs"
            w={200}
            searchable={groups.length > 8}
            data={[{ value: "", label: "All groups" }, ...groups.slice(1)]}
            value={search.group === undefined ? "" : String(search.group)}
            onChange={(chosen) => setSearch({ group: chosen ? Number(chosen) : undefined })}
          />
        </div>
      </div>
      <QueryPanel
        query={conflicts}
        height={420}
        lines={10}
        isEmpty={(data) => data.items.length === 0}
        empty={
          <Empty title="No rule conflicts">
            When two active packs require opposite values for a setting, both are excluded from the score until someone resolves the
            conflict here.
          </Empty>
        }
      >
        {(data) => data.items.map((card) => <Card key={card.id} card={card} />)}
      </QueryPanel>
    </>
  );
}

function Card({ card }: { card: ConflictCard }) {
  const session = useSession().data;
  const isOpen = card.hosts_undecided > 0;
  return (
    <article className={styles.card} aria-label={card.label}>
      <h2>
        {card.label} <span className="dim mono small">{card.key}</span>
      </h2>
      <p>
        {isOpen ? (
          <StatusLabel status="warn">
            Unresolved on {card.hosts_undecided} of {plural(card.hosts, "host")}
          </StatusLabel>
        ) : (
          <StatusLabel status="pass">{card.hosts > 0 ? `Resolved for ${plural(card.hosts, "host")}` : "No hosts affected"}</StatusLabel>
        )}{" "}
        <span className="dim">{isOpen ? "Both rules are excluded from these hosts' scores." : ""}</span>
      </p>
      <div className={styles.two}>
        <Side side={card.first} />
        <Side side={card.second} />
      </div>
      <DecisionList card={card} me={session?.person.id} canDecide={session?.can.decide_conflicts ?? false} />
      {session?.can.propose_decisions ? <Propose card={card} /> : null}
      {card.some_hosts.length > 0 ? <Hosts card={card} /> : null}
    </article>
  );
}

function Side({ side }: { side: ConflictSide }) {
  return (
    <section className={styles.side} aria-label={side.title}>
      <h3>
        <Link to="/rules/$pack/$rule" params={{ pack: side.pack, rule: side.rule }} className="link">
          {visible(side.title)}
        </Link>
      </h3>
      <div className="dim small">
        {side.pack}
        {side.also.length > 0 ? `, also required by ${side.also.map((address) => address.split("/")[0]).join(", ")}` : ""}; weight{" "}
        {side.weight.toFixed(1)}
      </div>
      <p>
        Requires: <span className="strong">{visible(side.asks)}</span>
      </p>
      <p className="dim">{visible(side.why)}</p>
      {side.evidence.length === 0 ? (
        <p className="dim small">No published evidence.</p>
      ) : (
        <ul className={styles.steps}>
          {side.evidence.map((one) => (
            <li key={JSON.stringify(one)} className="small">
              <span className="strong">
                {one.paper} {one.edition}, {citationText(one.at)}
              </span>
              : {visible(one.says)}
              {one.percent === null || one.percent === undefined ? "" : `, ${signed(one.percent)}%`}{" "}
              <span className="dim">({one.strength.replaceAll("_", " ")})</span>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

const HOSTS: Column<ConflictCard["some_hosts"][number]>[] = [
  {
    head: "Host",
    cell: (row) => (
      <Link to="/hosts/$hostId" params={{ hostId: row.host.id }} className="link">
        {visible(row.host.name)}
      </Link>
    ),
  },
  { head: "Group", cell: (row) => row.group.name },
  { head: "Items", isNumber: true, cell: (row) => row.subjects },
  {
    head: "Resolution",
    cell: (row) =>
      row.decided === null ? <StatusLabel status="warn">Unresolved</StatusLabel> : <StatusLabel status="pass">Resolved</StatusLabel>,
  },
];

function Hosts({ card }: { card: ConflictCard }) {
  return (
    <details>
      <summary>
        {plural(card.hosts, "affected host")}
        {card.some_hosts.length < card.hosts ? `, ${card.some_hosts.length} shown` : ""}
      </summary>
      <DataTable columns={HOSTS} rows={card.some_hosts} rowKey={(row) => row.host.id} />
    </details>
  );
}
