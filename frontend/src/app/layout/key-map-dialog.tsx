import { Modal } from "@mantine/core";
import styles from "./key-map-dialog.module.css";

const keys: { title: string; rows: [string[], string][] }[] = [
  {
    title: "Everywhere",
    rows: [
      [["Ctrl", "K"], "Search and commands"],
      [["/"], "Search and commands"],
      [["g", "o"], "Overview"],
      [["g", "h"], "Hosts"],
      [["g", "m"], "Matrix"],
      [["g", "d"], "Drift"],
      [["g", "r"], "Rules"],
      [["g", "f"], "Remediation plans"],
      [["g", "j"], "Jobs"],
      [["g", "c"], "On-call"],
      [["g", "w"], "Waivers"],
      [["g", "p"], "Reports"],
      [["g", "e"], "Enrol hosts"],
      [["t"], "Switch theme"],
      [["?"], "Show shortcuts"],
    ],
  },
  {
    title: "Hosts list",
    rows: [
      [["j"], "Next host"],
      [["k"], "Previous host"],
      [["x"], "Select host"],
      [["Shift", "click"], "Select a range"],
      [["Space"], "Preview host"],
      [["Enter"], "Open host"],
      [["f"], "Go to filters"],
      [["Esc"], "Close preview"],
    ],
  },
];

export function KeyMapDialog({ isOpen, close }: { isOpen: boolean; close: () => void }) {
  return (
    <Modal opened={isOpen} onClose={close} title="Keyboard shortcuts" size="lg" closeButtonProps={{ "aria-label": "Close" }}>
      <div className={styles.columns}>
        {keys.map((part) => (
          <section key={part.title}>
            <h2>{part.title}</h2>
            <dl className={styles.list}>
              {part.rows.map(([press, does]) => (
                <div key={press.join(" ")}>
                  <dt>
                    {press.map((key) => (
                      <kbd key={key}>{key}</kbd>
                    ))}
                  </dt>
                  <dd>{does}</dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
      <p className="dim small">Shortcuts are off while you type in a field.</p>
    </Modal>
  );
}
