import { Button } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { CsvDownload } from "@/entities/person/csv-download";
import type { AttestationRow } from "@/entities/waiver/types";
import { count } from "@/shared/lib/format";
import type { PatchSearch } from "@/shared/lib/patch-search";
import { capital, visible } from "@/shared/lib/text";
import { ActionDialog } from "@/shared/ui/action-dialog";
import { type Column, DataTable } from "@/shared/ui/data-table/data-table";
import { Dialog } from "@/shared/ui/dialog";
import { Empty, QueryPanel } from "@/shared/ui/query-panel";
import { StatusLabel } from "@/shared/ui/status";
import { TimeAgo } from "@/shared/ui/time-ago";
import { type AttestableRule, AttestForm, AttestOn } from "./attest-form";
import { EvidenceLink, FileLine } from "./evidence";
import { useAttestations, useWithdrawAttestation } from "./queries";
import type { WaiversSearch } from "./search";
import styles from "./waivers.module.css";

const columnsOf = (canAttest: boolean, attest: (rule: string) => void): Column<AttestableRule>[] => [
  {
    head: "Requirement",
    cell: (one) => (
      <>
        <Link to="/rules/$pack/$rule" params={{ pack: one.rule.pack, rule: one.rule.rule }} className="link">
          {one.rule.title}
        </Link>{" "}
        <span className="dim">
          {one.rule.pack}
          {one.also.map((rule) => (
            <span key={rule.pack}>
              {", "}
              <RuleLink rule={rule} />
            </span>
          ))}
        </span>
        <div className="dim small">{one.manual[0] ?? one.expected}</div>
      </>
    ),
  },
  { head: "Confirmed", isNumber: true, cell: (one) => <Hosts rule={one} outcome="pass" number={one.attested} /> },
  { head: "Not met", isNumber: true, cell: (one) => <Hosts rule={one} outcome="advice" number={one.not_so} /> },
  { head: "Unknown", isNumber: true, cell: (one) => <Hosts rule={one} outcome="unknown" number={one.unknown} /> },
  {
    head: "Action",
    isHeadHidden: true,
    isNumber: true,
    cell: (one) => (canAttest ? <Button onClick={() => attest(`${one.rule.pack}/${one.rule.rule}`)}>Attest…</Button> : null),
  },
];

/** What hosts can't report: the rules that need an attestation, and the attestations. */
export function Attested({
  canAttest,
  search,
  setSearch,
}: {
  canAttest: boolean;
  search: WaiversSearch;
  setSearch: PatchSearch<WaiversSearch>;
}) {
  const all = useAttestations();
  const named = canAttest ? search.attest : undefined;
  // A finding may lead here by any of the rules that ask the same.
  const about = all.data?.rules.find((one) => [one.rule, ...one.also].some(({ pack, rule }) => `${pack}/${rule}` === named)) ?? null;
  const close = () => setSearch({ attest: undefined, on: undefined }, true);
  return (
    <QueryPanel
      query={all}
      height={360}
      lines={10}
      isEmpty={(data) => data.rules.length === 0 && data.items.length === 0}
      empty={<Empty title="No attestations required">Rules about switches and arrays, which hosts can't report, appear here.</Empty>}
    >
      {(data) => (
        <>
          <section aria-label="Required attestations">
            <h2>
              Required attestations <span className="dim">number of hosts; not scored</span>
            </h2>
            <DataTable
              columns={columnsOf(canAttest, (attest) => setSearch({ attest, on: undefined }))}
              rows={data.rules}
              rowKey={(one) => `${one.rule.pack}/${one.rule.rule}`}
            />
          </section>
          <section className="section" aria-label="Attestations">
            <div className="row">
              <h2>Attestations</h2>
              <CsvDownload table="attestations.csv" about="these attestations" />
            </div>
            {data.items.length === 0 ? (
              <p className="dim">No attestations yet</p>
            ) : (
              <ul className={styles.list}>
                {data.items.map((one) => (
                  <Statement key={one.id} row={one} />
                ))}
              </ul>
            )}
          </section>
          <Dialog isOpen={about !== null} close={close} title={about ? `Attest: ${about.rule.title}` : ""}>
            {about && search.on ? <AttestOn rule={about} longest={data.longest_days} hostId={search.on} close={close} /> : null}
            {about && !search.on ? <AttestForm rule={about} longest={data.longest_days} close={close} /> : null}
          </Dialog>
        </>
      )}
    </QueryPanel>
  );
}

/** An equivalent rule, called by its pack: the titles of such rules are mostly the same. */
function RuleLink({ rule }: { rule: AttestableRule["rule"] }) {
  return (
    <Link to="/rules/$pack/$rule" params={{ pack: rule.pack, rule: rule.rule }} className="link" aria-label={`${rule.title}, ${rule.pack}`}>
      {rule.pack}
    </Link>
  );
}

function Hosts({ rule, outcome, number }: { rule: AttestableRule; outcome: "pass" | "advice" | "unknown"; number: number }) {
  return (
    <Link
      to="/rules/$pack/$rule"
      params={{ pack: rule.rule.pack, rule: rule.rule.rule }}
      search={{ outcome: [outcome] }}
      className="link"
      aria-label={`${number} hosts: ${outcome}`}
    >
      {count(number)}
    </Link>
  );
}

const WORDS: Record<AttestationRow["state"], string> = {
  active: "Active",
  expired: "Expired",
  withdrawn: "Withdrawn",
  replaced: "Replaced",
};

function Statement({ row }: { row: AttestationRow }) {
  const withdraw = useWithdrawAttestation(row.id);
  const holds = row.state === "active";
  return (
    <li>
      <StatusLabel status={!holds ? (row.state === "expired" ? "warn" : "neutral") : row.is_so ? "pass" : "advice"}>
        {holds ? (row.is_so ? "Confirmed" : "Not met") : WORDS[row.state]}
      </StatusLabel>{" "}
      <b>{capital(visible(row.expected || row.rule.title))}</b> <span className="dim">on</span>{" "}
      {row.host ? (
        <Link to="/hosts/$hostId" params={{ hostId: row.host.id }} className="link">
          {visible(row.host.name)}
        </Link>
      ) : (
        <>{visible(row.group_name)} and subgroups</>
      )}
      <div>{visible(row.statement)}</div>
      {row.also.length > 0 ? (
        <div className="dim">
          Given for <RuleLink rule={row.rule} />. {holds ? "Also covers" : "Also covered"}{" "}
          {row.also.map((rule, at) => (
            <span key={`${rule.pack}/${rule.rule}`}>
              {at > 0 ? ", " : ""}
              <RuleLink rule={rule} />
            </span>
          ))}
          {" (equivalent)"}
        </div>
      ) : null}
      <div className="dim">
        {visible(row.author.name)}, <TimeAgo at={row.made_at} />;{" "}
        {holds ? "valid until " : row.state === "expired" ? "expired " : "would have been valid until "}
        <TimeAgo at={row.expires_at} form="exact" />
        {row.end_words && !holds ? `; ${visible(row.end_words)}` : ""}
      </div>
      {row.evidence_link ? <EvidenceLink link={row.evidence_link} /> : null}
      {row.files.length > 0 ? (
        <ul className={styles.list}>
          {row.files.map((file) => (
            <FileLine key={file.id} kind="attestations" of={row.id} file={file} />
          ))}
        </ul>
      ) : null}
      {row.may_withdraw ? (
        <ActionDialog
          title="Withdraw attestation"
          label="Withdraw attestation"
          opener={(open) => (
            <Button mt={6} size="compact-xs" onClick={open}>
              Withdraw…
            </Button>
          )}
          reason={{ label: "Reason" }}
          onConfirm={({ reason }) => withdraw.mutateAsync(reason)}
        >
          <p>The result becomes unknown immediately{row.also.length > 0 ? `, for all ${row.also.length + 1} rules it covers` : ""}.</p>
        </ActionDialog>
      ) : null}
    </li>
  );
}
