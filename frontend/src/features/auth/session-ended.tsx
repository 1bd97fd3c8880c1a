import { useEffect, useRef } from "react";
import styles from "./auth.module.css";
import { SignInPage } from "./sign-in-page";

interface SessionEndedProps {
  isDemo: boolean;
  provider: string | null;
}

/**
 * Asks to sign in again over the page whose session ended. A dialog of the browser's own stands above everything, other dialogs included,
 * and whatever is below can neither be read nor reached meanwhile.
 */
export function SessionEnded({ isDemo, provider }: SessionEndedProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog
      ref={dialog}
      className={styles.over}
      aria-label="Sign in again"
      onCancel={(event) => event.preventDefault()}
      // Mantine closes its dialogs on Escape wherever it is pressed, unless what holds the focus says so: the form below must stay.
      onFocusCapture={(event) => event.target.setAttribute("data-mantine-stop-propagation", "true")}
    >
      <SignInPage isDemo={isDemo} provider={provider} isAgain />
    </dialog>
  );
}
