import { Modal } from "@mantine/core";
import styles from "./key-map-dialog.module.css";

const keys: { title: string; rows: [string[], string][] }[] = [
  {
    title: "Everywhere",
    rows: [
      [["Ctrl", "K"], "search and commands"],
      [["/"], "the same"],
      [["g", "o"], "overview"],
      [["g", "h"], "hosts"],
      [["g", "m"], "matrix"],
      [["g", "d"], "drift"],
      [["g", "r"], "rules"],
      [["g", "f"], "fixes that are planned"],
      [["g", "j"], "jobs"],
      [["g", "c"], "on-call"],
      [["g", "w"], "waivers"],
      [["g", "p"], "reports"],
      [["g", "e"], "enrol"],
      [["t"], "light or dark"],
      [["?"], "this list"],
    ],
  },
  {
    title: "In the list of hosts",
    rows: [
      [["j"], "next host"],
      [["k"], "host before"],
      [["x"], "select the host"],
      [["Shift", "click"], "select all in between"],
      [["Space"], "look at it beside the list"],
      [["Enter"], "open it"],
      [["f"], "to the filters"],
      [["Esc"], "close what is open beside the list"],
    ],
  },
];

export function KeyMapDialog({ isOpen, close }: { isOpen: boolean; close: () => void }) {
  return (
    <Modal opened={isOpen} onClose={close} title="Keys" size="lg" closeButtonProps={{ "aria-label": "Close" }}>
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
      <p className="dim small">Single keys rest while you type in a field.</p>
    </Modal>
  );
}
