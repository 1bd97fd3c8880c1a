import { visible } from "@/shared/lib/text";
import { CopyButton } from "@/shared/ui/copy-button";
import { StatusLabel } from "@/shared/ui/status";
import { TimeAgo } from "@/shared/ui/time-ago";
import styles from "./collection.module.css";

/** A confirmed key or certificate, with its fingerprint; `refused` is the word for one that was not presented at the last try. */
export function ConfirmedKey({ fingerprint, isRefused, refused }: { fingerprint: string; isRefused: boolean; refused: string }) {
  return (
    <span className="nowrap">
      <StatusLabel status={isRefused ? "fail" : "pass"}>{isRefused ? refused : "Verified"}</StatusLabel>{" "}
      <span className={`mono ${styles.pin}`} title={fingerprint}>
        {fingerprint}
      </span>
      <CopyButton text={fingerprint} label="fingerprint" />
    </span>
  );
}

/** A try that runs now, or the error of the last one. */
export function RunningOrFailed({ of }: { of: { is_running: boolean; last_error: string; last_tried_at: string | null } }) {
  if (of.is_running) return <StatusLabel status="running">Reading…</StatusLabel>;
  return (
    <>
      <StatusLabel status="fail">Failed</StatusLabel> <TimeAgo at={of.last_tried_at} />: {visible(of.last_error)}
    </>
  );
}

/** The account that signs in, and the name of its credential. */
export function SignsInAs({ account, credential }: { account: string; credential: string }) {
  return (
    <>
      <span className="mono">{visible(account || "–")}</span>
      <div className="dim small">{visible(credential)}</div>
    </>
  );
}
