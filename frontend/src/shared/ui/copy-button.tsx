import { useClipboard } from "@mantine/hooks";
import { IconCheck, IconCopy } from "@tabler/icons-react";
import { visible } from "@/shared/lib/text";
import styles from "./copy-button.module.css";
import { Tooltip } from "./tooltip";

interface CopyableTextProps {
  /** What is copied, as it is. */
  text: string;
  /** What it is, for the button's name: "request id", "IQN". */
  label: string;
  /** Shown instead of the text itself (a shortened digest). */
  shown?: string;
}

/** A value in monospace with a button that copies the whole of it. */
export function CopyableText({ text, label, shown }: CopyableTextProps) {
  return (
    <span className={styles.copy}>
      <span className={styles.text} title={shown && shown !== text ? visible(text) : undefined}>
        {visible(shown ?? text)}
      </span>
      <CopyButton text={text} label={label} />
    </span>
  );
}

export function CopyButton({ text, label }: { text: string; label: string }) {
  const { copied, copy } = useClipboard({ timeout: 1500 });
  return (
    <Tooltip<HTMLButtonElement> label={copied ? "Copied" : `Copy ${label}`}>
      {(target) => (
        <button
          type="button"
          className={styles.button}
          aria-label={copied ? `Copied ${label}` : `Copy ${label}`}
          onClick={() => copy(text)}
          {...target}
        >
          {copied ? <IconCheck size={13} /> : <IconCopy size={13} />}
        </button>
      )}
    </Tooltip>
  );
}
