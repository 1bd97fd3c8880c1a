import { useDisclosure } from "@mantine/hooks";
import { Tooltip } from "@/shared/ui/tooltip";
import styles from "./lab.module.css";
import { RemoveLab } from "./remove-lab";

const simulated = "All hosts are simulated. No real hosts are connected.";

/** Above every page of a lab: nothing here is real, and an admin can end it. */
export function LabBadge({ canRemove }: { canRemove: boolean }) {
  const [isOpen, dialog] = useDisclosure(false);
  if (!canRemove)
    return (
      <Tooltip<HTMLSpanElement> label={simulated} multiline w={240}>
        {(target) => (
          // biome-ignore lint/a11y/noNoninteractiveTabindex: the explanation must be reachable without a mouse
          <span className={styles.badge} tabIndex={0} {...target}>
            Lab fleet
          </span>
        )}
      </Tooltip>
    );
  return (
    <>
      <Tooltip<HTMLButtonElement> label={`${simulated} Remove the lab to use Plumbline for your own.`} multiline w={240}>
        {(target) => (
          <button type="button" className={styles.badge} onClick={dialog.open} {...target}>
            Lab fleet…
          </button>
        )}
      </Tooltip>
      <RemoveLab isOpen={isOpen} close={dialog.close} />
    </>
  );
}
