import { Button, Select, TextInput } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { type ReactNode, useState } from "react";
import { useGroups } from "@/entities/group/queries";
import type { PackDetail } from "@/entities/pack/types";
import type { Session } from "@/entities/person/types";
import { usePreviewRun } from "@/entities/preview/queries";
import type { Run } from "@/entities/preview/types";
import { plural } from "@/shared/lib/format";
import type { PatchSearch } from "@/shared/lib/patch-search";
import { Failed, type QueryState } from "@/shared/ui/query-panel";
import { StatusLabel } from "@/shared/ui/status";
import styles from "./packs.module.css";
import { type Change, useActivate, usePreview } from "./queries";
import type { PackSearch } from "./search";

const GRACE = [
  { value: "", label: "None (count failures now)" },
  { value: "7", label: "7 days" },
  { value: "14", label: "14 days" },
  { value: "30", label: "30 days" },
  { value: "90", label: "90 days" },
];

/** The preview of a change; another feature draws it. */
export type DrawPreview = (run: QueryState<Run>) => ReactNode;

interface ChangeFormProps {
  pack: string;
  detail: PackDetail | undefined;
  search: PackSearch;
  setSearch: PatchSearch<PackSearch>;
  can: Partial<Session["can"]>;
  drawPreview: DrawPreview;
}

/** Prepares a change of the active version for a group: version, group, a preview on the real fleet, and only then the change itself. */
export function ChangeForm({ pack, detail, search, setSearch, can, drawPreview }: ChangeFormProps) {
  const groups = useGroups();
  const run = usePreviewRun(search.run);
  if (!can.preview_packs) return null;
  const change = changeOf(search, groups.data?.[0]?.id);
  const choices = (groups.data ?? []).map((group) => ({ value: String(group.id), label: group.name }));
  const what = [
    ...(search.draft === undefined ? [] : [{ value: "draft", label: "Draft above" }]),
    ...(detail?.versions ?? []).map((version) => ({ value: `version:${version.id}`, label: version.version })),
    ...(detail ? [{ value: "off", label: "Turned off" }] : []),
    ...(detail ? [{ value: "inherit", label: "Inherit from parent group" }] : []),
  ];
  const chosen = change.what === "version" ? (change.version === undefined ? null : `version:${change.version}`) : change.what;
  const choose = (value: string | null) => {
    const [kind, id] = (value ?? "").split(":");
    if (kind === "version") setSearch({ what: "version", version: Number(id), run: undefined });
    else if (kind === "draft" || kind === "off" || kind === "inherit") setSearch({ what: kind, version: undefined, run: undefined });
  };
  const isGraced = change.what === "version" || change.what === "draft";
  return (
    <section className="section" aria-label="Change active version" id="change">
      <h2>Change active version</h2>
      <div className={styles.form}>
        <Select
          size="xs"
          label="Group (including subgroups)"
          searchable={choices.length > 8}
          data={choices}
          value={change.group === undefined ? null : String(change.group)}
          onChange={(value) => setSearch({ group: value ? Number(value) : undefined, run: undefined })}
        />
        <Select size="xs" label="Version" placeholder="Select a version" data={what} value={chosen} onChange={choose} />
        <Select
          size="xs"
          label="Grace period"
          data={GRACE}
          disabled={!isGraced}
          value={isGraced && search.grace ? String(search.grace) : ""}
          onChange={(value) => setSearch({ grace: value ? Number(value) : undefined, run: undefined })}
        />
        <AskPreview pack={pack} change={change} isReady={isWhole(change)} setSearch={setSearch} />
      </div>
      {search.run === undefined ? (
        <p className="dim small" style={{ marginTop: 8 }}>
          The preview evaluates every host in the group with this version. Nothing is changed.
        </p>
      ) : (
        drawPreview(run)
      )}
      {run.data?.state === "ready" && run.data.kind === "preview" && change.what !== "draft" ? (
        <ActivateForm
          key={search.run}
          pack={pack}
          change={change}
          run={run.data}
          canActivate={can.activate_packs ?? false}
          done={() => setSearch({ run: undefined, what: undefined, version: undefined, grace: undefined, group: undefined })}
        />
      ) : null}
      {run.data?.state === "ready" && change.what === "draft" ? <p className="dim">Publish the draft before activating it.</p> : null}
    </section>
  );
}

type Prepared = Omit<Change, "group"> & { group: number | undefined };

function changeOf(search: PackSearch, first: number | undefined): Prepared {
  const what = search.what ?? (search.draft === undefined ? "version" : "draft");
  return {
    group: search.group ?? first,
    what,
    version: what === "version" ? search.version : undefined,
    draft: what === "draft" ? search.draft : undefined,
    graceDays: what === "version" || what === "draft" ? search.grace : undefined,
  };
}

const isWhole = (change: Prepared): change is Change =>
  change.group !== undefined &&
  (change.what !== "version" || change.version !== undefined) &&
  (change.what !== "draft" || change.draft !== undefined);

function AskPreview({
  pack,
  change,
  isReady,
  setSearch,
}: {
  pack: string;
  change: Prepared;
  isReady: boolean;
  setSearch: PatchSearch<PackSearch>;
}) {
  const preview = usePreview(pack);
  return (
    <>
      <Button
        size="xs"
        variant="filled"
        disabled={!isReady}
        loading={preview.isPending}
        onClick={() => (isWhole(change) ? preview.mutate(change, { onSuccess: (run) => setSearch({ run: run.id }) }) : undefined)}
      >
        Preview
      </Button>
      {preview.error ? <Failed error={preview.error} /> : null}
    </>
  );
}

interface ActivateFormProps {
  pack: string;
  change: Prepared;
  run: Run;
  canActivate: boolean;
  done: () => void;
}

function ActivateForm({ pack, change, run, canActivate, done }: ActivateFormProps) {
  const activate = useActivate(pack);
  const [reason, setReason] = useState("");
  if (!isWhole(change)) return null;
  const changed = run.figures?.hosts_changed ?? 0;
  const label = change.what === "off" ? "Turn off" : change.what === "inherit" ? "Inherit" : "Activate";
  const where = `${run.group.name}${changed > 0 ? `, ${plural(changed, "host")} ${changed === 1 ? "changes" : "change"}` : ""}`;
  return (
    <form
      className={styles.form}
      style={{ marginTop: 18 }}
      onSubmit={(event) => {
        event.preventDefault();
        activate.mutate(
          { change, reason: reason.trim() },
          {
            onSuccess: () => {
              notifications.show({ message: `${pack} updated for ${run.group.name}. Re-evaluating hosts in the background.` });
              done();
            },
          },
        );
      }}
    >
      <TextInput
        className={styles.grow}
        size="xs"
        label="Reason"
        description="Shown in the history and audit log"
        inputWrapperOrder={["label", "input", "description"]}
        value={reason}
        onChange={(event) => setReason(event.currentTarget.value)}
      />
      <Button
        type="submit"
        size="xs"
        variant="filled"
        loading={activate.isPending}
        disabled={!canActivate || reason.trim().length < 3 || run.is_outdated}
        title={canActivate ? undefined : "Only admins of the group can activate packs"}
      >
        {label} for {where}
      </Button>
      {canActivate ? null : <span className="dim small">Only admins of the group can activate packs.</span>}
      {run.is_outdated ? <StatusLabel status="warn">Active rules have changed since this preview. Run it again.</StatusLabel> : null}
      {activate.error ? <Failed error={activate.error} /> : null}
    </form>
  );
}
