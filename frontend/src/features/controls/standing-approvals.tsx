import { Button, Chip } from "@mantine/core";
import { useStandingApprovals } from "@/entities/controls/queries";
import type { StandingApproval } from "@/entities/controls/types";
import type { Session } from "@/entities/person/types";
import { impactLabel } from "@/entities/plan/impact";
import { useRuleTitles } from "@/entities/rule/queries";
import { plural } from "@/shared/lib/format";
import type { PatchSearch } from "@/shared/lib/patch-search";
import { visible } from "@/shared/lib/text";
import { ActionDialog } from "@/shared/ui/action-dialog";
import { FormDialog } from "@/shared/ui/form-dialog";
import { Empty, QueryPanel } from "@/shared/ui/query-panel";
import { StatusLabel } from "@/shared/ui/status";
import { TimeAgo } from "@/shared/ui/time-ago";
import { Verbatim } from "@/shared/ui/verbatim";
import styles from "./controls.module.css";
import { itemText, standingState } from "./labels";
import { useWithdrawStanding } from "./queries";
import type { ControlsSearch } from "./search";
import { SignForm } from "./sign-form";

interface StandingProps {
  search: ControlsSearch;
  setSearch: PatchSearch<ControlsSearch>;
  can: Session["can"];
  personId: number;
}

/** Fixes that operators may run right away, signed in advance by an approver, who never runs under it. */
export function StandingApprovals({ search, setSearch, can, personId }: StandingProps) {
  const standing = useStandingApprovals();
  const isOver = search.over === "yes";
  const shown = (standing.data ?? []).filter((one) => isOver || one.is_in_force);
  return (
    <section className={styles.part} aria-label="Standing approvals">
      <div className={styles.bar}>
        <Chip size="xs" variant="outline" color="gray" checked={isOver} onChange={() => setSearch({ over: isOver ? undefined : "yes" })}>
          Show expired and withdrawn
        </Chip>
        {can.sign_standing ? (
          <FormDialog
            title="New standing approval"
            size="lg"
            opener={(open) => (
              <Button variant="filled" onClick={open}>
                New standing approval…
              </Button>
            )}
          >
            {(close) => <SignForm close={close} />}
          </FormDialog>
        ) : (
          <span className="dim small">Approvers create and withdraw them; operators use them.</span>
        )}
      </div>
      <QueryPanel
        query={standing}
        height={220}
        lines={6}
        isEmpty={() => shown.length === 0}
        empty={
          <Empty title={standing.data?.length ? "No active standing approvals" : "No standing approvals"}>
            A standing approval lists fixes that operators can run right away, one host at a time, until it expires. The approver who signs
            it can't use it.
          </Empty>
        }
      >
        {() => shown.map((one) => <One key={one.id} standing={one} can={can} isOwn={one.signer_id === personId} />)}
      </QueryPanel>
    </section>
  );
}

function One({ standing, can, isOwn }: { standing: StandingApproval; can: Session["can"]; isOwn: boolean }) {
  const withdraw = useWithdrawStanding(standing.id);
  const state = standingState(standing);
  const title = `Withdraw ${visible(standing.name)}`;
  const titleOf = useRuleTitles();
  return (
    <article className={styles.one} aria-label={`Standing approval ${visible(standing.name)}`}>
      <div>
        <h3>
          {visible(standing.name)} <StatusLabel status={state.status}>{state.label}</StatusLabel>
        </h3>
        <div className={styles.facts}>
          <span>
            Signed by {visible(standing.signer)}, <TimeAgo at={standing.signed_at} />
          </span>
          <span>
            {standing.is_in_force ? "Expires " : standing.withdrawn_at ? "Would have expired " : "Expired "}
            <TimeAgo at={standing.expires_at} />
          </span>
          <span>In {standing.group_names.map((name) => visible(name) || "a group you can't access").join(", ")}</span>
          <span>Maximum disruption: {impactLabel(standing.largest_impact)}</span>
          <span>One host at a time</span>
          <span>{standing.times_used === 0 ? "Not used yet" : `Used for ${plural(standing.times_used, "plan")}`}</span>
        </div>
        {standing.withdrawn_at ? (
          <p>
            Withdrawn by {visible(standing.withdrawn_by)}, <TimeAgo at={standing.withdrawn_at} />: {visible(standing.withdrawn_reason)}
          </p>
        ) : null}
        {isOwn && standing.is_in_force ? <p className="dim small">You signed this, so you can't use it.</p> : null}
        <ul className={styles.items} aria-label="What it allows">
          {standing.items.map((item) => {
            const { what, value } = itemText(item, titleOf);
            return (
              <li key={`${what} ${value ?? ""}`}>
                {value === undefined ? "Fixes for " : "Set "}
                {value === undefined ? visible(what) : <Verbatim of={what} />}
                {value === undefined ? null : (
                  <>
                    {" to "}
                    <Verbatim of={value} />
                  </>
                )}
              </li>
            );
          })}
        </ul>
      </div>
      {can.sign_standing && standing.is_in_force ? (
        <div>
          <ActionDialog
            title={title}
            opener={(open) => (
              <Button size="compact-sm" onClick={open} aria-label={title}>
                Withdraw…
              </Button>
            )}
            reason={{ label: "Reason (saved in the audit log)", missing: "Enter a reason" }}
            onConfirm={({ reason }) => withdraw.mutateAsync(reason)}
          >
            <p>No new jobs start under it, and running jobs stop after their current step. This can't be undone.</p>
          </ActionDialog>
        </div>
      ) : null}
    </article>
  );
}
