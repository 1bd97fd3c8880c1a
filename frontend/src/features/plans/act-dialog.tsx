import { Button, Modal, Textarea } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { type ReactNode, useState } from "react";
import { Prove } from "@/entities/person/confirm-identity";
import { Failed } from "@/shared/ui/query-panel";
import styles from "./plans.module.css";

interface ActDialogProps {
  /** The word on the button, and the dialog's title with `about` behind it. */
  label: string;
  title: string;
  /** What the act means, in full sentences. */
  children: ReactNode;
  asksReason?: boolean;
  asksPassword?: boolean;
  isMain?: boolean;
  act: {
    mutate: (given: { reason: string; password: string }, after: { onSuccess: () => void }) => void;
    isPending: boolean;
    error: unknown;
    reset: () => void;
  };
}

/** An act on a plan that wants a word or a password before it is done. */
export function ActDialog({ label, title, children, asksReason = false, asksPassword = false, isMain = false, act }: ActDialogProps) {
  const [isOpen, dialog] = useDisclosure(false);
  const [reason, setReason] = useState("");
  const [password, setPassword] = useState("");
  const close = () => {
    setPassword("");
    act.reset();
    dialog.close();
  };
  const isMissing = asksReason && reason.trim().length < 3;
  return (
    <>
      <Button variant={isMain ? "filled" : undefined} onClick={dialog.open}>
        {label}
      </Button>
      <Modal opened={isOpen} onClose={close} title={title} size="lg" closeButtonProps={{ "aria-label": "Close" }}>
        <form
          className={styles.form}
          onSubmit={(event) => {
            event.preventDefault();
            act.mutate({ reason: reason.trim(), password }, { onSuccess: close });
          }}
        >
          {children}
          {asksReason ? (
            <Textarea
              label="Reason, kept in the audit trail"
              autosize
              minRows={2}
              value={reason}
              onChange={(event) => setReason(event.currentTarget.value)}
            />
          ) : null}
          {asksPassword ? <Prove password={password} setPassword={setPassword} /> : null}
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
