import { Button, Modal, Select, Textarea, TextInput } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useState } from "react";
import { useGroupChoices } from "@/entities/person/queries";
import type { Freeze } from "@/shared/api/types";
import { visible } from "@/shared/lib/text";
import { Empty, Failed, Panel } from "@/shared/ui/query-panel";
import { Outcome } from "@/shared/ui/status";
import { Instant } from "@/shared/ui/time-ago";
import styles from "./controls.module.css";
import { fieldIn, fromField } from "./labels";
import { useEndFreeze, useFreezes, useMakeFreeze } from "./queries";
import { ReasonDialog } from "./reason-dialog";

/** Spans in which nothing of a group is changed, whatever its windows say. */
export function Freezes({ canManage }: { canManage: boolean }) {
  const freezes = useFreezes();
  const [isOpen, dialog] = useDisclosure(false);
  return (
    <section className={styles.part} aria-label="Freezes">
      <div className={styles.bar}>
        <h2>Freezes</h2>
        <span className="dim small">nothing is changed while one holds; it beats every window</span>
        {canManage ? <Button onClick={dialog.open}>Freeze a group …</Button> : <span className="dim small">Admins make and end them.</span>}
      </div>
      <Panel
        query={freezes}
        height={90}
        lines={3}
        isEmpty={(data) => data.length === 0}
        empty={
          <Empty title="Nothing is frozen, and nothing will be.">Freeze a group over a quarter's end, an audit, or a migration.</Empty>
        }
      >
        {(data) => data.map((one) => <One key={one.id} freeze={one} canManage={canManage} />)}
      </Panel>
      <Modal opened={isOpen} onClose={dialog.close} title="Freeze a group" closeButtonProps={{ "aria-label": "Close" }}>
        <FreezeForm close={dialog.close} />
      </Modal>
    </section>
  );
}

function One({ freeze, canManage }: { freeze: Freeze; canManage: boolean }) {
  const end = useEndFreeze(freeze.id);
  return (
    <article className={styles.one} aria-label={`Freeze of ${visible(freeze.group_name)}`}>
      <div>
        <h3>
          {visible(freeze.group_name)}{" "}
          <Outcome status={freeze.is_on ? "excluded" : "neutral"}>{freeze.is_on ? "frozen now" : "to come"}</Outcome>
        </h3>
        <p>{visible(freeze.reason)}</p>
        <div className={styles.facts}>
          <span>
            {freeze.is_on ? "since " : "from "}
            <Instant at={freeze.starts_at} form="exact" />
          </span>
          <span>
            until <Instant at={freeze.ends_at} form="exact" />
          </span>
          <span>made by {visible(freeze.created_by)}</span>
        </div>
      </div>
      {canManage ? (
        <div>
          <ReasonDialog
            label={freeze.is_on ? "End now …" : "Take back …"}
            title={`End the freeze of ${visible(freeze.group_name)}`}
            asksReason={false}
            act={{ ...end, mutate: (_reason, after) => end.mutate(undefined, after) }}
          >
            Jobs that wait for its end may begin within minutes, each in its own window.
          </ReasonDialog>
        </div>
      ) : null}
    </article>
  );
}

function FreezeForm({ close }: { close: () => void }) {
  const make = useMakeFreeze();
  const groups = useGroupChoices();
  const [group, setGroup] = useState<string | null>(null);
  const [reason, setReason] = useState("");
  const [starts, setStarts] = useState("");
  const [ends, setEnds] = useState(fieldIn(72));
  const startsAt = fromField(starts);
  const endsAt = fromField(ends);
  const missing = !group
    ? "Choose the group first."
    : reason.trim().length < 3
      ? "Say why first."
      : endsAt === undefined
        ? "Say until when."
        : startsAt !== undefined && startsAt >= endsAt
          ? "It ends before it begins."
          : "";
  return (
    <form
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault();
        if (missing || endsAt === undefined) return;
        make.mutate({ group_id: Number(group), reason: reason.trim(), starts_at: startsAt ?? null, ends_at: endsAt }, { onSuccess: close });
      }}
    >
      <Select label="Group, and all below it" searchable data={groups} value={group} onChange={setGroup} />
      <Textarea
        label="Reason"
        description="Whoever waits for it reads it."
        autosize
        minRows={2}
        value={reason}
        onChange={(event) => setReason(event.currentTarget.value)}
      />
      <div className={styles.pair}>
        <TextInput
          label="From (UTC)"
          description="Empty: from now on."
          type="datetime-local"
          value={starts}
          onChange={(event) => setStarts(event.currentTarget.value)}
        />
        <TextInput
          label="Until (UTC)"
          description="It ends by itself."
          type="datetime-local"
          min={fieldIn(0)}
          value={ends}
          onChange={(event) => setEnds(event.currentTarget.value)}
        />
      </div>
      {make.error ? <Failed error={make.error} /> : null}
      {missing ? <span className="dim small">{missing}</span> : null}
      <div className="row">
        <Button type="submit" variant="filled" disabled={missing !== ""} loading={make.isPending}>
          Freeze it
        </Button>
        <Button onClick={close}>Back</Button>
      </div>
    </form>
  );
}
