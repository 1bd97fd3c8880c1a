import { Button } from "@mantine/core";
import type { ReactNode } from "react";
import { CopyableText } from "./copy-button";
import styles from "./form.module.css";

interface SecretOnceProps {
  /** Says what it is, and that it is shown this once. */
  title: string;
  secret: string;
  /** What it is, for the name of the button that copies it: "token". */
  label: string;
  /** Where it is used, and until when. */
  children: ReactNode;
  /** Draws a button that ends the dialog. */
  close?: () => void;
}

/** A secret that was just made and is never shown again. */
export function SecretOnce({ title, secret, label, children, close }: SecretOnceProps) {
  return (
    <div className={styles.form} role="status">
      <span className="strong">{title}</span>
      <CopyableText text={secret} label={label} />
      {children}
      {close ? (
        <div className={styles.acts}>
          <Button onClick={close}>Done</Button>
        </div>
      ) : null}
    </div>
  );
}
