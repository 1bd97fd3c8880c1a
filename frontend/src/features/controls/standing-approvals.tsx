import { Button, Chip, Modal } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { impactWord } from "@/entities/plan/impact";
import type { Session, StandingApproval } from "@/shared/api/types";
import { plural } from "@/shared/lib/format";
import type { PatchSearch } from "@/shared/lib/patch-search";
import { visible } from "@/shared/lib/text";
import { Empty, Panel } from "@/shared/ui/query-panel";
import { Outcome } from "@/shared/ui/status";
import { Instant } from "@/shared/ui/time-ago";
import { Said } from "@/shared/ui/verbatim";
import styles from "./controls.module.css";
import { itemWords, standingState } from "./labels";
import { useStanding, useWithdrawStanding } from "./queries";
import { ReasonDialog } from "./reason-dialog";
import type { SafetySearch } from "./search";
import { SignForm } from "./sign-form";

interface StandingProps {
  search: SafetySearch;
  setSearch: PatchSearch<SafetySearch>;
  can: Session["can"];
  personId: number;
}

/** What operators may run at once, signed beforehand; never by whoever runs under it. */
export function StandingApprovals({ search, setSearch, can, personId }: StandingProps) {
  const standing = useStanding();
  const [isOpen, dialog] = useDisclosure(false);
  const isOver = search.over === "yes";
  const shown = (standing.data ?? []).filter((one) => isOver || one.is_in_force);
  return (
    <section className={styles.part} aria-label="Standing approvals">
      <div className={styles.bar}>
        <Chip size="xs" variant="outline" color="gray" checked={isOver} onChange={() => setSearch({ over: isOver ? undefined : "yes" })}>
          also those that are over
        </Chip>
        {can.sign_standing ? (
          <Button variant="filled" onClick={dialog.open}>
            Sign a standing approval …
          </Button>
        ) : (
          <span className="dim small">Approvers sign and withdraw; operators run under them.</span>
        )}
      </div>
      <Panel
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
      </Panel>
      <Modal opened={isOpen} onClose={dialog.close} title="Sign a standing approval" size="lg" closeButtonProps={{ "aria-label": "Close" }}>
        <SignForm close={dialog.close} />
      </Modal>
    </section>
  );
}

function One({ standing, can, isOwn }: { standing: StandingApproval; can: Session["can"]; isOwn: boolean }) {
  const withdraw = useWithdrawStanding(standing.id);
  const state = standingState(standing);
  return (
    <article className={styles.one} aria-label={`Standing approval ${visible(standing.name)}`}>
      <div>
        <h3>
          {visible(standing.name)} <Outcome status={state.status}>{state.word}</Outcome>
        </h3>
        <div className={styles.facts}>
          <span>
            written and signed by {visible(standing.signer)}, <Instant at={standing.signed_at} />
          </span>
          <span>
            {standing.is_in_force ? "ends " : "was to end "}
            <Instant at={standing.expires_at} />
          </span>
          <span>in {standing.group_names.map((name) => visible(name) || "a group you may not read").join(", ")}</span>
          <span>largest impact: {impactWord(standing.largest_impact)}</span>
          <span>one host at a time</span>
          <span>{standing.times_used === 0 ? "not used yet" : `used for ${plural(standing.times_used, "plan")}`}</span>
        </div>
        {standing.withdrawn_at ? (
          <p>
            withdrawn by {visible(standing.withdrawn_by)}, <Instant at={standing.withdrawn_at} />: {visible(standing.withdrawn_reason)}
          </p>
        ) : null}
        {isOwn && standing.is_in_force ? <p className="dim small">You signed it, so you never run under it.</p> : null}
        <ul className={styles.items} aria-label="What it allows">
          {standing.items.map((item) => {
            const { what, value } = itemWords(item);
            return (
              <li key={`${what} ${value ?? ""}`}>
                {value === undefined ? "the fixes of " : "set "}
                <Said of={what} />
                {value === undefined ? null : (
                  <>
                    {" to "}
                    <Said of={value} />
                  </>
                )}
              </li>
            );
          })}
        </ul>
      </div>
      {can.sign_standing && standing.is_in_force ? (
        <div>
          <ReasonDialog label="Withdraw …" title={`Withdraw ${visible(standing.name)}`} act={withdraw}>
            Nothing begins under it any more, and a job that runs under it ends at its next step boundary. It cannot be brought back; sign a
            new one instead.
          </ReasonDialog>
        </div>
      ) : null}
    </article>
  );
}
