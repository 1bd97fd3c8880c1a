import { Button, Chip } from "@mantine/core";
import { useStandingApprovals } from "@/entities/controls/queries";
import type { StandingApproval } from "@/entities/controls/types";
import type { Session } from "@/entities/person/types";
import { impactLabel } from "@/entities/plan/impact";
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

/** What operators may run at once, signed beforehand; never by whoever runs under it. */
export function StandingApprovals({ search, setSearch, can, personId }: StandingProps) {
  const standing = useStandingApprovals();
  const isOver = search.over === "yes";
  const shown = (standing.data ?? []).filter((one) => isOver || one.is_in_force);
  return (
    <section className={styles.part} aria-label="Standing approvals">
      <div className={styles.bar}>
        <Chip size="xs" variant="outline" color="gray" checked={isOver} onChange={() => setSearch({ over: isOver ? undefined : "yes" })}>
          also those that are over
        </Chip>
        {can.sign_standing ? (
          <FormDialog
            title="Sign a standing approval"
            size="lg"
            opener={(open) => (
              <Button variant="filled" onClick={open}>
                Sign a standing approval …
              </Button>
            )}
          >
            {(close) => <SignForm close={close} />}
          </FormDialog>
        ) : (
          <span className="dim small">Approvers sign and withdraw; operators run under them.</span>
        )}
      </div>
      <QueryPanel
        query={standing}
        height={220}
        lines={6}
        isEmpty={() => shown.length === 0}
        empty={
          <Empty title={standing.data?.length ? "No standing approval is in force." : "Nothing may run without an approver."}>
            A standing approval lists fixes that operators may run at once, one host at a time, until it ends. An approver signs it and
            never runs under it.
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
  return (
    <article className={styles.one} aria-label={`Standing approval ${visible(standing.name)}`}>
      <div>
        <h3>
          {visible(standing.name)} <StatusLabel status={state.status}>{state.label}</StatusLabel>
        </h3>
        <div className={styles.facts}>
          <span>
            written and signed by {visible(standing.signer)}, <TimeAgo at={standing.signed_at} />
          </span>
          <span>
            {standing.is_in_force ? "ends " : "was to end "}
            <TimeAgo at={standing.expires_at} />
          </span>
          <span>in {standing.group_names.map((name) => visible(name) || "a group you may not read").join(", ")}</span>
          <span>largest impact: {impactLabel(standing.largest_impact)}</span>
          <span>one host at a time</span>
          <span>{standing.times_used === 0 ? "not used yet" : `used for ${plural(standing.times_used, "plan")}`}</span>
        </div>
        {standing.withdrawn_at ? (
          <p>
            withdrawn by {visible(standing.withdrawn_by)}, <TimeAgo at={standing.withdrawn_at} />: {visible(standing.withdrawn_reason)}
          </p>
        ) : null}
        {isOwn && standing.is_in_force ? <p className="dim small">You signed it, so you never run under it.</p> : null}
        <ul className={styles.items} aria-label="What it allows">
          {standing.items.map((item) => {
            const { what, value } = itemText(item);
            return (
              <li key={`${what} ${value ?? ""}`}>
                {value === undefined ? "the fixes of " : "set "}
                <Verbatim of={what} />
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
                Withdraw …
              </Button>
            )}
            reason={{ label: "Reason, kept in the audit trail", missing: "Say why first." }}
            hasBack
            onConfirm={({ reason }) => withdraw.mutateAsync(reason)}
          >
            <p>
              Nothing begins under it any more, and a job that runs under it ends at its next step boundary. It cannot be brought back; sign
              a new one instead.
            </p>
          </ActionDialog>
        </div>
      ) : null}
    </article>
  );
}
