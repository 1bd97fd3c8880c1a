import { Button, Modal, Textarea } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { type ReactNode, useState } from "react";
import { Failed } from "@/shared/ui/query-panel";
import styles from "./controls.module.css";

interface ReasonDialogProps {
  /** The word on the button. */
  label: string;
  /** What is done, as the dialog's title and as the word on its main button. */
  title: string;
  /** What the act means, in full sentences. */
  children: ReactNode;
  /** False where the act keeps no reason. */
  asksReason?: boolean;
  act: {
    mutate: (reason: string, after: { onSuccess: () => void }) => void;
    isPending: boolean;
    error: unknown;
    reset: () => void;
  };
}

/** An act on one row that is told in words, and often explained, before it is done. */
export function ReasonDialog({ label, title, children, asksReason = true, act }: ReasonDialogProps) {
  const [isOpen, dialog] = useDisclosure(false);
  const [reason, setReason] = useState("");
  const close = () => {
    act.reset();
    dialog.close();
  };
  const isMissing = asksReason && reason.trim().length < 3;
  return (
    <>
      <Button size="compact-sm" onClick={dialog.open} aria-label={title}>
        {label}
      </Button>
      <Modal opened={isOpen} onClose={close} title={title} closeButtonProps={{ "aria-label": "Close" }}>
        <form
          className={styles.form}
          onSubmit={(event) => {
            event.preventDefault();
            act.mutate(reason.trim(), { onSuccess: close });
          }}
        >
          <p>{children}</p>
          {asksReason ? (
            <Textarea
              label="Reason, kept in the audit trail"
              autosize
              minRows={2}
              value={reason}
              onChange={(event) => setReason(event.currentTarget.value)}
            />
          ) : null}
          {act.error ? <Failed error={act.error} /> : null}
          {isMissing ? <span className="dim small">Say why first.</span> : null}
          <div className="row">
            <Button type="submit" variant="filled" disabled={isMissing} loading={act.isPending}>
              {title}
            </Button>
            <Button onClick={close}>Back</Button>
          </div>
        </form>
      </Modal>
    </>
  );
}
