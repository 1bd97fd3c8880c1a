import { Textarea } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { notifications } from "@mantine/notifications";
import { type ReactNode, useState } from "react";
import { Dialog, type DialogProps } from "./dialog";
import { FormBody } from "./form-dialog";
import { useAct } from "./use-act";

interface ActionDialogProps extends Pick<DialogProps, "title" | "size"> {
  /** Draws the button that opens the dialog. */
  opener: (open: () => void) => ReactNode;
  /** The words on the button that does it; the title where nothing else is said. */
  label?: string;
  /** What the act means, in full sentences. */
  children?: ReactNode;
  /** The field for the reason, where the act keeps one. */
  reason?: ReasonField;
  /** The field in which somebody who signs proves who they are. */
  identity?: (password: string, setPassword: (password: string) => void) => ReactNode;
  /** The words on that button; another than "Cancel" where the act itself is called so. */
  leaveLabel?: string;
  /** Shown for a moment once it is done. */
  notice?: string;
  onConfirm: (given: { reason: string; password: string }) => Promise<unknown>;
}

interface ReasonField {
  label: string;
  description?: string;
  /** The fewest letters that are enough, 3 by default; and what is said while there are fewer. */
  least?: number;
  missing?: string;
}

/** An act that explains itself, and asks for a reason or a proof of identity where it needs one, before it is done. */
export function ActionDialog(props: ActionDialogProps) {
  const { title, size, opener, label = title, children, reason, identity, leaveLabel, notice, onConfirm } = props;
  const [isOpen, dialog] = useDisclosure(false);
  const [text, setText] = useState("");
  const [password, setPassword] = useState("");
  const close = () => {
    setPassword("");
    act.reset();
    dialog.close();
  };
  const act = useAct(onConfirm, () => {
    if (notice) notifications.show({ message: notice });
    // A reason is kept while the dialog is only closed, so that Escape loses none; one that was sent is not offered again.
    setText("");
    close();
  });
  const isShort = reason !== undefined && text.trim().length < (reason.least ?? 3);
  return (
    <>
      {opener(dialog.open)}
      <Dialog title={title} size={size} isOpen={isOpen} close={close}>
        <FormBody
          form={{
            isBusy: act.isBusy,
            error: act.error,
            submit: (event) => {
              event.preventDefault();
              act.run({ reason: text.trim(), password });
            },
          }}
          label={label}
          isDisabled={isShort}
          missing={isShort ? reason.missing : undefined}
          leaveLabel={leaveLabel}
        >
          {children}
          {reason ? (
            <Textarea
              label={reason.label}
              description={reason.description}
              data-autofocus
              autosize
              minRows={2}
              value={text}
              onChange={(event) => setText(event.currentTarget.value)}
            />
          ) : null}
          {identity?.(password, setPassword)}
        </FormBody>
      </Dialog>
    </>
  );
}
