import type { ReactNode } from "react";
import styles from "./property-list.module.css";

export interface Property {
  key: string;
  name: ReactNode;
  value: ReactNode;
}

/** Names with a value each, below one another: what is too little for a table. */
export function PropertyList({ items }: { items: readonly Property[] }) {
  return (
    <dl className={styles.list}>
      {items.map((item) => (
        <div key={item.key}>
          <dt>{item.name}</dt>
          <dd>{item.value}</dd>
        </div>
      ))}
    </dl>
  );
}
