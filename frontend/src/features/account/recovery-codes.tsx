import { Button } from "@mantine/core";
import { CopyButton } from "@/shared/ui/copy-button";
import styles from "./account.module.css";

interface NewRecoveryCodesProps {
  codes: string[];
  close: () => void;
}

/** Recovery codes that were just made and are never shown again. */
export function NewRecoveryCodes({ codes, close }: NewRecoveryCodesProps) {
  const text = codes.join("\n");
  return (
    <div className={styles.form} role="status">
      <p className="strong">Save these recovery codes. They are shown only once.</p>
      <p className="dim small">Each code replaces your second factor for one sign-in. Keep them where you do not need this device.</p>
      <ul className={styles.codes} aria-label="Recovery codes">
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <div className="row" style={{ flexWrap: "wrap" }}>
        <CopyButton text={text} label="recovery codes" />
        <Button
          component="a"
          href={`data:text/plain;charset=utf-8,${encodeURIComponent(`${text}\n`)}`}
          download="plumbline-recovery-codes.txt"
        >
          Download codes
        </Button>
        <Button variant="filled" onClick={close}>
          Done
        </Button>
      </div>
    </div>
  );
}
