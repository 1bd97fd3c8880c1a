import { Link } from "@tanstack/react-router";
import styles from "./rules-nav.module.css";

const PARTS = [
  { to: "/rules", label: "Rules" },
  { to: "/packs", label: "Packs" },
  { to: "/decisions", label: "Conflicts" },
] as const;

/** What stands together under Rules: the rules, the packs that they come in, and what people decided where packs disagree. */
export function RulesNav({ undecided }: { undecided?: number }) {
  return (
    <nav className={styles.parts} aria-label="Rules, packs and conflicts">
      {PARTS.map((part) => (
        <Link key={part.to} to={part.to} className={styles.part} activeProps={{ "data-active": true, "aria-current": "page" }}>
          {part.label}
          {part.to === "/decisions" && undecided ? <span className={styles.figure}>{undecided} unresolved</span> : null}
        </Link>
      ))}
    </nav>
  );
}
