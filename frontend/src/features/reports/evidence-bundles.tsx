import { Button, NumberInput, Select, TextInput } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useGroupChoices } from "@/entities/group/queries";
import { api, query } from "@/shared/api/client";
import type { Schemas } from "@/shared/api/schemas";
import { fromDateField } from "@/shared/lib/date-field";
import { bytes, shortDigest } from "@/shared/lib/format";
import { visible } from "@/shared/lib/text";
import { zoneLabel } from "@/shared/lib/time";
import { CopyableText } from "@/shared/ui/copy-button";
import { Empty, Failed, QueryPanel } from "@/shared/ui/query-panel";
import { StatusLabel } from "@/shared/ui/status";
import { TimeAgo, useZone } from "@/shared/ui/time-ago";
import styles from "./reports.module.css";
import { HostsField } from "./scope-fields";

const LIST = ["get", "/api/v1/evidence-bundles"] as const;
const VERIFIER = "/api/v1/evidence-bundles/verify_bundle.py";

type Bundle = Schemas["EvidenceBundleOut"];

/** Evidence bundles: one signed file of a group, or of hosts in it, at a time, and the program that checks it. */
export function EvidenceBundles({ canExport }: { canExport: boolean }) {
  const bundles = query.useQuery(
    "get",
    "/api/v1/evidence-bundles",
    {},
    { refetchInterval: ({ state }) => (state.data?.some((bundle) => bundle.state === "queued") ? 1500 : false) },
  );
  return (
    <section className="section" aria-label="Evidence bundles" id="evidence">
      <h2>Evidence bundles</h2>
      <p className="dim">
        One signed file with the settings, rules, findings, waivers, approvals, jobs and audit log behind the scores. Check it offline with{" "}
        <a href={VERIFIER} download>
          verify_bundle.py
        </a>{" "}
        and the key ID below.
      </p>
      {canExport ? <MakeBundle /> : <p className="dim">Creating and downloading bundles needs the viewer or admin role.</p>}
      <QueryPanel
        query={bundles}
        height={140}
        isEmpty={(data) => data.length === 0}
        empty={
          <Empty title="No evidence bundles yet">
            {canExport ? "Choose a group above and create one." : "Bundles appear here for everyone who can see the group."}
          </Empty>
        }
      >
        {(data) => (
          <ul className={styles.list}>
            {data.map((bundle) => (
              <BundleRow key={bundle.id} bundle={bundle} canExport={canExport} />
            ))}
          </ul>
        )}
      </QueryPanel>
    </section>
  );
}

function MakeBundle() {
  const client = useQueryClient();
  const choices = useGroupChoices();
  const [group, setGroup] = useState<string | null>(null);
  const [view, setView] = useState("");
  const [asOf, setAsOf] = useState("");
  const [days, setDays] = useState<number | string>(90);
  const chosen = group ?? choices[0]?.value ?? null;
  const zone = useZone();
  const make = useMutation({
    mutationFn: (group_id: number) =>
      api.POST("/api/v1/evidence-bundles", {
        body: { group_id, view_id: view === "" ? null : Number(view), as_of: fromDateField(asOf, zone) ?? null, period_days: Number(days) },
      }),
    onSuccess: () => client.invalidateQueries({ queryKey: LIST }),
  });
  return (
    <>
      <form
        className={styles.make}
        aria-label="Create an evidence bundle"
        onSubmit={(event) => {
          event.preventDefault();
          if (chosen) make.mutate(Number(chosen));
        }}
      >
        <Select label="Group" w={260} searchable data={choices} value={chosen} onChange={setGroup} />
        <HostsField view={view} change={setView} />
        <TextInput
          label={`As of (${zoneLabel(zone)}, empty for now)`}
          type="datetime-local"
          w={230}
          value={asOf}
          onChange={(event) => setAsOf(event.currentTarget.value)}
        />
        <NumberInput label="Days of history" w={140} min={1} max={1100} allowDecimal={false} value={days} onChange={setDays} />
        <Button type="submit" size="sm" loading={make.isPending} disabled={chosen === null || days === ""}>
          Create evidence bundle
        </Button>
      </form>
      {make.error ? <Failed error={make.error} /> : null}
    </>
  );
}

function BundleRow({ bundle, canExport }: { bundle: Bundle; canExport: boolean }) {
  const hosts = `${bundle.hosts} ${bundle.hosts === 1 ? "host" : "hosts"}`;
  return (
    <li className={styles.report} aria-label={`Evidence bundle ${bundle.id}`}>
      <div>
        <div className="strong">
          {visible(bundle.group_name)}
          {bundle.view_name ? `, ${visible(bundle.view_name)}` : ""} <span className="dim">#{bundle.id}</span>
        </div>
        <div className="dim">
          As of <TimeAgo at={bundle.as_of} form="exact" />, history since <TimeAgo at={bundle.since} form="exact" />
        </div>
        <div className="dim">
          Created by {visible(bundle.requested_by)} <TimeAgo at={bundle.requested_at} />
        </div>
        {bundle.state === "ready" ? (
          <div className="dim small">
            {hosts}, {bundle.findings.toLocaleString("en-GB")} findings. Key ID{" "}
            <CopyableText text={bundle.key_id} shown={bundle.key_id} label="key ID" />, SHA-256{" "}
            <CopyableText text={bundle.sha256} shown={shortDigest(bundle.sha256)} label="SHA-256" />
          </div>
        ) : null}
        {bundle.state === "failed" ? <div className="small">{visible(bundle.error)}</div> : null}
      </div>
      <div className={styles.files}>
        {bundle.state === "queued" ? <StatusLabel status="running">Creating…</StatusLabel> : null}
        {bundle.state === "failed" ? <StatusLabel status="fail">Failed</StatusLabel> : null}
        {bundle.state === "ready" && canExport ? (
          <span className={styles.file}>
            <Button renderRoot={(props) => <a {...props} href={`/api/v1/evidence-bundles/${bundle.id}/file`} download />}>
              Download bundle
            </Button>
            <span className="dim small">{bytes(bundle.size_bytes)}</span>
          </span>
        ) : null}
      </div>
    </li>
  );
}
