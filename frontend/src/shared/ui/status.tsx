import type { ReactNode } from "react";
import styles from "./status.module.css";

/** Every status on screen is a shape, a word and a colour; this is the one list of them. */
export type Status = "pass" | "fail" | "unknown" | "not_applicable" | "waived" | "excluded" | "advice" | "warn" | "running" | "neutral";

const texts: Record<Status, string> = {
  pass: "Pass",
  fail: "Fail",
  unknown: "Unknown",
  not_applicable: "N/A",
  waived: "Waived",
  excluded: "Excluded",
  advice: "Advisory",
  warn: "Warning",
  running: "Running",
  neutral: "–",
};

const shapes: Record<Status, ReactNode> = {
  pass: <path d="M2.5 6.5 5 9l5-6" />,
  fail: <path d="m3 3 6 6M9 3 3 9" />,
  unknown: <path d="M4 4.2C4 2.9 4.9 2.2 6 2.2s2 .7 2 1.9C8 5.6 6 5.7 6 7.2M6 9.6v.2" />,
  not_applicable: <path d="M3 6h6" />,
  waived: <path d="M6 1.5 10.5 6 6 10.5 1.5 6z" />,
  excluded: <path d="M3.5 2.5v7M8.5 2.5v7" />,
  advice: <path d="M6 2.2v.1M6 5v4.8" />,
  warn: <path d="M6 1.8 11 10.2H1zM6 5v2.3M6 8.8v.1" />,
  running: <path d="M6 1.5A4.5 4.5 0 1 1 1.5 6" />,
  neutral: <path d="M3 6h6" />,
};

export function StatusIcon({ status, size = 12 }: { status: Status; size?: number }) {
  return (
    <svg className={styles.icon} data-status={status} width={size} height={size} viewBox="0 0 12 12" aria-hidden="true">
      {shapes[status]}
    </svg>
  );
}

interface StatusLabelProps {
  status: Status;
  /** Shown instead of the status' own text. */
  children?: ReactNode;
  /** With a tint behind it (a badge), or plain in a line of text. */
  isBadge?: boolean;
}

export function StatusLabel({ status, children, isBadge = false }: StatusLabelProps) {
  return (
    <span className={isBadge ? `${styles.label} ${styles.badge}` : styles.label} data-status={status}>
      <StatusIcon status={status} />
      <span>{children ?? texts[status]}</span>
    </span>
  );
}

/** A sentence with a status: unlike a label, which stays on one line, it wraps. */
export function StatusSentence({ status, children }: { status: Status; children: ReactNode }) {
  return (
    <span className={`${styles.label} ${styles.sentence}`} data-status={status}>
      <StatusIcon status={status} />
      <span>{children}</span>
    </span>
  );
}

export const statusText = (status: Status): string => texts[status];
