import { Button, Modal, Textarea } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useMutation } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { Download } from "@/entities/person/csv-download";
import { api } from "@/shared/api/client";
import type { AttestationRow } from "@/shared/api/types";
import { count } from "@/shared/lib/format";
import type { PatchSearch } from "@/shared/lib/patch-search";
import { visible } from "@/shared/lib/text";
import { Empty, Failed, Panel } from "@/shared/ui/query-panel";
import { ScrollX } from "@/shared/ui/scroll-x";
import { Outcome } from "@/shared/ui/status";
import { Instant } from "@/shared/ui/time-ago";
import { type AttestableRule, AttestForm, AttestOn } from "./attest-form";
import { EvidenceLink, FileLine } from "./evidence";
import { useAttestations, useReread } from "./queries";
import type { WaiversSearch } from "./search";
import styles from "./waivers.module.css";

/** What no host can see: the rules that wait for a person, and what people said. */
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
    <Panel
      query={all}
      height={360}
      lines={10}
      isEmpty={(data) => data.rules.length === 0 && data.items.length === 0}
      empty={
        <Empty title="No active pack asks for an attestation.">Rules about switches and arrays, which no host can see, stand here.</Empty>
      }
    >
      {(data) => (
        <>
          <section aria-label="What waits for a person">
            <h2>
              What no host can see <span className="dim">hosts by what was attested; it informs and weighs nothing in the score</span>
            </h2>
            <ScrollX>
              <table className="data" data-fits>
                <thead>
                  <tr>
                    <th scope="col">what is asked</th>
                    <th scope="col" className="num on-desk">
                      attested
                    </th>
                    <th scope="col" className="num on-desk">
                      not so
                    </th>
                    <th scope="col" className="num on-desk">
                      unknown
                    </th>
                    <th scope="col">
                      <span className="hidden-visually">act</span>
                    </th>
                  </tr>
                </thead>
                <tbody>
                  {data.rules.map((one) => (
                    <tr key={`${one.rule.pack}/${one.rule.rule}`}>
                      <td>
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
                        <div className="small on-phone">
                          <Hosts rule={one} outcome="pass" number={one.attested} /> attested,{" "}
                          <Hosts rule={one} outcome="advice" number={one.not_so} /> not so,{" "}
                          <Hosts rule={one} outcome="unknown" number={one.unknown} /> unknown
                        </div>
                      </td>
                      <td className="num on-desk">
                        <Hosts rule={one} outcome="pass" number={one.attested} />
                      </td>
                      <td className="num on-desk">
                        <Hosts rule={one} outcome="advice" number={one.not_so} />
                      </td>
                      <td className="num on-desk">
                        <Hosts rule={one} outcome="unknown" number={one.unknown} />
                      </td>
                      <td className="num">
                        {canAttest ? (
                          <Button onClick={() => setSearch({ attest: `${one.rule.pack}/${one.rule.rule}`, on: undefined })}>Attest</Button>
                        ) : null}
                      </td>
                    </tr>
                  ))}
                </tbody>
              </table>
            </ScrollX>
          </section>
          <section className="section" aria-label="What was attested">
            <div className="row">
              <h2>What was attested</h2>
              <Download table="attestations.csv" about="what was attested" />
            </div>
            {data.items.length === 0 ? (
              <p className="dim">Nobody has attested anything yet.</p>
            ) : (
              <ul className={styles.list}>
                {data.items.map((one) => (
                  <Said key={one.id} row={one} />
                ))}
              </ul>
            )}
          </section>
          <Modal
            opened={about !== null}
            onClose={close}
            title={about ? `Attest: ${about.rule.title}` : ""}
            closeButtonProps={{ "aria-label": "Close" }}
          >
            {about && search.on ? <AttestOn rule={about} longest={data.longest_days} hostId={search.on} close={close} /> : null}
            {about && !search.on ? <AttestForm rule={about} longest={data.longest_days} close={close} /> : null}
          </Modal>
        </>
      )}
    </Panel>
  );
}

/** Another rule that asks the same, called by its pack: the titles of such rules are mostly the same. */
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
  active: "holds",
  expired: "expired",
  withdrawn: "withdrawn",
  replaced: "attested anew",
};

function Said({ row }: { row: AttestationRow }) {
  const [isEnding, ending] = useDisclosure(false);
  const holds = row.state === "active";
  return (
    <li>
      <Outcome status={!holds ? (row.state === "expired" ? "warn" : "neutral") : row.is_so ? "pass" : "advice"}>
        {holds ? (row.is_so ? "is so" : "is not so") : WORDS[row.state]}
      </Outcome>{" "}
      <b>{row.expected || row.rule.title}</b> <span className="dim">on</span>{" "}
      {row.host ? (
        <Link to="/hosts/$hostId" params={{ hostId: row.host.id }} className="link">
          {visible(row.host.name)}
        </Link>
      ) : (
        <>{visible(row.group_name)} and every host below</>
      )}
      <div>{visible(row.statement)}</div>
      {row.also.length > 0 ? (
        <div className="dim">
          given for <RuleLink rule={row.rule} />; {holds ? "answers" : "answered"} also{" "}
          {row.also.map((rule, at) => (
            <span key={`${rule.pack}/${rule.rule}`}>
              {at > 0 ? ", " : ""}
              <RuleLink rule={rule} />
            </span>
          ))}
          , which {row.also.length === 1 ? "asks" : "ask"} the same
        </div>
      ) : null}
      <div className="dim">
        {visible(row.author.name)}, <Instant at={row.made_at} />; {holds ? "until " : "was to hold until "}
        <Instant at={row.expires_at} form="exact" />
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
        <Button mt={6} size="compact-xs" onClick={ending.open}>
          Withdraw
        </Button>
      ) : null}
      <Modal opened={isEnding} onClose={ending.close} title="Withdraw the attestation" closeButtonProps={{ "aria-label": "Close" }}>
        <WithdrawForm row={row} close={ending.close} />
      </Modal>
    </li>
  );
}

function WithdrawForm({ row, close }: { row: AttestationRow; close: () => void }) {
  const reread = useReread();
  const [reason, setReason] = useState("");
  const send = useMutation({
    mutationFn: () =>
      api.POST("/api/v1/attestations/{attestation_id}/withdraw", { params: { path: { attestation_id: row.id } }, body: { reason } }),
    onSuccess: async () => {
      await reread();
      close();
    },
  });
  return (
    <div className={styles.form}>
      <p>What it said is unknown again at once{row.also.length > 0 ? `, for all ${row.also.length + 1} rules that it answers` : ""}.</p>
      <Textarea
        label="Reason"
        data-autofocus
        autosize
        minRows={2}
        value={reason}
        onChange={(event) => setReason(event.currentTarget.value)}
      />
      {send.error ? <Failed error={send.error} /> : null}
      <Button variant="filled" disabled={reason.trim().length < 3} onClick={() => send.mutate()} loading={send.isPending}>
        Withdraw it
      </Button>
    </div>
  );
}
