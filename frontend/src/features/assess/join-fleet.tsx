import { Button, Checkbox, Radio, Select } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { useGroupChoices } from "@/entities/group/queries";
import { plural } from "@/shared/lib/format";
import { visible } from "@/shared/lib/text";
import { FormBody, FormDialog } from "@/shared/ui/form-dialog";
import { StatusLabel } from "@/shared/ui/status";
import { useActForm } from "@/shared/ui/use-act-form";
import styles from "./assess.module.css";
import { useAssessedHost, useJoinFleet } from "./queries";
import type { AssessmentDetail, JoinedHost } from "./types";

interface JoinFleetProps {
  assessment: AssessmentDetail;
  /** The host whose report is shown. */
  shown: number | undefined;
}

/** Adds hosts of the bundle to a group of the fleet, and says of each what became of it. */
export function JoinFleet({ assessment, shown }: JoinFleetProps) {
  return (
    <FormDialog title="Add to fleet" opener={(open) => <Button onClick={open}>Add to fleet…</Button>}>
      {(close) => <JoinForm assessment={assessment} shown={shown} close={close} />}
    </FormDialog>
  );
}

function JoinForm({ assessment, shown, close }: JoinFleetProps & { close: () => void }) {
  const join = useJoinFleet(assessment.id);
  const groups = useGroupChoices();
  const [done, setDone] = useState<readonly JoinedHost[] | null>(null);
  // The list may not reach down to the host whose report is shown.
  const host = useAssessedHost(assessment.id, shown).data;
  const form = useActForm({
    initialValues: { group: "", which: shown === undefined ? "all" : "one", withUnsure: false },
    send: async ({ group, which, withUnsure }) =>
      setDone(await join.mutateAsync({ group: Number(group), hosts: which === "one" && shown !== undefined ? [shown] : null, withUnsure })),
    whenDone: () => undefined,
  });
  if (done) return <Joined done={done} close={close} />;
  return (
    <FormBody form={form} label="Add to fleet" missing={form.values.group === "" ? "Choose a group" : ""}>
      <p>
        Hosts from a bundle are evaluated, scored and reported like any other, as of the day of the bundle. They raise no alerts, and no
        plan can be run on them until they check in by themselves.
      </p>
      <Select label="Group" searchable data={groups} {...form.getInputProps("group")} />
      {shown !== undefined && assessment.host_count > 1 ? (
        <Radio.Group label="Hosts" {...form.getInputProps("which")}>
          <div className={styles.choices}>
            <Radio value="one" label={visible(host?.name ?? "The host shown")} />
            <Radio value="all" label={`All ${plural(assessment.host_count, "host")} in this bundle`} />
          </div>
        </Radio.Group>
      ) : null}
      <Checkbox
        label="Also add hosts that may be in the fleet already"
        description="Their name or adapters match in part only."
        {...form.getInputProps("withUnsure", { type: "checkbox" })}
      />
      {join.progress ? (
        <p className="dim small" role="status">
          {join.progress.done} of {plural(join.progress.of, "host")} done
        </p>
      ) : null}
    </FormBody>
  );
}

const OUTCOMES = [
  ["added", "pass", "added"],
  ["updated", "pass", "updated from this newer bundle"],
  ["left_out", "warn", "left out"],
] as const;

function Joined({ done, close }: { done: readonly JoinedHost[]; close: () => void }) {
  return (
    <>
      {OUTCOMES.map(([outcome, status, words]) => {
        const hosts = done.filter((one) => one.outcome === outcome);
        if (hosts.length === 0) return null;
        return (
          <section key={outcome} aria-label={words}>
            <StatusLabel status={status}>
              {plural(hosts.length, "host")} {words}
            </StatusLabel>
            <ul className={styles.joined}>
              {hosts.map((one) => (
                <li key={one.assessed_id}>
                  {one.host_id ? (
                    <Link to="/hosts/$hostId" params={{ hostId: one.host_id }} className="link">
                      {visible(one.name)}
                    </Link>
                  ) : (
                    <span className="strong">{visible(one.name)}</span>
                  )}
                  {one.words ? <div className="dim small">{visible(one.words)}</div> : null}
                </li>
              ))}
            </ul>
          </section>
        );
      })}
      <div className="row">
        <Button variant="filled" onClick={close}>
          Done
        </Button>
      </div>
    </>
  );
}
