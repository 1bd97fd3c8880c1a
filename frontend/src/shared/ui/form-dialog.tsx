import { Button } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import type { ReactNode, SubmitEventHandler } from "react";
import { Dialog, type DialogProps, useCloseDialog } from "./dialog";
import styles from "./form.module.css";
import { Failed } from "./query-panel";

interface FormDialogProps extends Pick<DialogProps, "title" | "size"> {
  /** Draws the button that opens the dialog. */
  opener: (open: () => void) => ReactNode;
  /** Draws what the dialog holds, mostly a form of `useActForm`; `close` ends it. */
  children: (close: () => void) => ReactNode;
}

/** A dialog with the button that opens it. */
export function FormDialog({ opener, children, ...frame }: FormDialogProps) {
  const [isOpen, dialog] = useDisclosure(false);
  return (
    <>
      {opener(dialog.open)}
      <Dialog {...frame} isOpen={isOpen} close={dialog.close}>
        {children(dialog.close)}
      </Dialog>
    </>
  );
}

interface FormBodyProps {
  /** What `useActForm` made. */
  form: { submit: SubmitEventHandler<HTMLFormElement>; isBusy: boolean; error: unknown };
  /** The words on the button that sends the form. */
  label: string;
  /** What has to be entered first; the form cannot be sent while this says something. */
  missing?: string | undefined;
  /** A line above the buttons while nothing is missing. */
  note?: ReactNode;
  /** The form cannot be sent, for a reason that its fields show. */
  isDisabled?: boolean;
  /** Leaves the form; in a dialog it closes the dialog where nothing else is given. */
  back?: () => void;
  /** The words on the button that leaves the form; another than "Cancel" where the act itself is called so. */
  leaveLabel?: string | undefined;
  /** Another act, before the main one. */
  more?: ReactNode;
  children: ReactNode;
}

/** Fields, what went wrong, what is missing, and the buttons: the same in every form. */
export function FormBody({
  form,
  label,
  missing = "",
  note,
  isDisabled = false,
  leaveLabel = "Cancel",
  more,
  children,
  ...way
}: FormBodyProps) {
  const close = useCloseDialog();
  const leave = way.back ?? close;
  return (
    <form
      className={styles.form}
      onSubmit={(event) => {
        // Enter in a field sends the form even where its button is disabled.
        if (missing || isDisabled) event.preventDefault();
        else form.submit(event);
      }}
    >
      {children}
      {form.error ? <Failed error={form.error} /> : null}
      {missing || note ? <span className="dim small">{missing || note}</span> : null}
      <div className={styles.acts}>
        {more}
        <Button type="submit" variant="filled" disabled={missing !== "" || isDisabled} loading={form.isBusy}>
          {label}
        </Button>
        {leave ? <Button onClick={leave}>{leaveLabel}</Button> : null}
      </div>
    </form>
  );
}
