import { Button, CopyButton } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useMutation } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { checkNow } from "@/entities/host/queries";
import type { HostRow } from "@/entities/host/types";
import { useCan } from "@/entities/person/queries";
import { ApiProblem } from "@/shared/api/problem";
import { count, plural } from "@/shared/lib/format";
import styles from "./hosts.module.css";

/** The most hosts that one request names one by one. */
const MOST_WAIVED = 500;

interface SelectionBarProps {
  selected: ReadonlySet<string>;
  rows: HostRow[];
  total: number;
  canCheckNow: boolean;
  clear: () => void;
  selectAll: () => void;
  isLoadingAll: boolean;
}

/** What can be done with the selected hosts. */
export function SelectionBar({ selected, rows, total, canCheckNow, clear, selectAll, isLoadingAll }: SelectionBarProps) {
  const canWaive = useCan().request_waivers ?? false;
  const chosen = rows.filter((host) => selected.has(host.id));
  const check = useMutation({
    mutationFn: async () => {
      const refused: ApiProblem[] = [];
      for (const host of chosen) {
        try {
          await checkNow(host.id);
        } catch (error) {
          refused.push(ApiProblem.of(error));
        }
      }
      return refused;
    },
    onSuccess: (refused) =>
      notifications.show({
        title: `Check-in requested from ${plural(chosen.length - refused.length, "host")}`,
        message:
          refused.length > 0
            ? `${plural(refused.length, "host")} couldn't be reached: ${refused[0]?.message}`
            : "The list updates as they respond.",
      }),
  });
  if (selected.size === 0) return null;
  return (
    <section className={styles.bar} aria-label="Selected hosts" aria-live="polite">
      <span className="strong">
        {count(selected.size)} of {count(total)} selected
      </span>
      {selected.size < total ? (
        <Button variant="subtle" color="gray" onClick={selectAll} loading={isLoadingAll} c="var(--ink)">
          Select all {count(total)}
        </Button>
      ) : null}
      <span style={{ flex: 1 }} />
      {canCheckNow ? (
        <Button onClick={() => check.mutate()} loading={check.isPending}>
          Check in now
        </Button>
      ) : null}
      {canWaive ? (
        <Button
          disabled={selected.size > MOST_WAIVED}
          title={
            selected.size > MOST_WAIVED ? `A waiver covers at most ${MOST_WAIVED} hosts. Waive the rule on their group instead.` : undefined
          }
          renderRoot={(props) => <Link to="/waivers/new" search={{ host: [...selected].slice(0, MOST_WAIVED) }} {...props} />}
        >
          Request waiver…
        </Button>
      ) : null}
      <CopyButton value={chosen.map((host) => host.name).join("\n")}>
        {({ copied, copy }) => <Button onClick={copy}>{copied ? "Copied" : "Copy names"}</Button>}
      </CopyButton>
      <Button onClick={clear}>Clear selection</Button>
    </section>
  );
}
