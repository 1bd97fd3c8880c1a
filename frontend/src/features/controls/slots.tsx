import { Button, NumberInput, Select, TextInput } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import type { FailureDomain } from "@/entities/controls/types";
import { useGroupChoices, useGroups } from "@/entities/group/queries";
import type { Group } from "@/entities/group/types";
import { count, NO_DATA } from "@/shared/lib/format";
import { visible } from "@/shared/lib/text";
import { type Column, DataTable } from "@/shared/ui/data-table/data-table";
import { FormBody, FormDialog } from "@/shared/ui/form-dialog";
import { Empty, QueryPanel } from "@/shared/ui/query-panel";
import { useActForm } from "@/shared/ui/use-act-form";
import styles from "./controls.module.css";
import { domainName, mayRaise } from "./labels";
import { useDomains, useSetBudget } from "./queries";

const columnsOf = (groups: Group[]): Column<FailureDomain>[] => [
  { head: "Failure domain", cell: (one) => visible(domainName(one, groups)) },
  { head: "Limit", isNumber: true, cell: (one) => count(one.slots) },
  { head: "In use", isNumber: true, cell: (one) => count(one.held_by.length) },
  { head: "Used by", cell: (one) => <Holders domain={one} /> },
  { head: "Can be raised", className: "dim", cell: (one) => (mayRaise(one.domain) ? "Yes" : "No: two at once could cause an outage") },
];

/** How many hosts of a failure domain may be changed at a time, and which jobs do so now. */
export function Slots({ canManage }: { canManage: boolean }) {
  const domains = useDomains();
  const groups = useGroups().data ?? [];
  return (
    <section className={styles.part} aria-label="Concurrency limits">
      <div className={styles.bar}>
        <h2>Concurrency limits</h2>
        <span className="dim small">Hosts changed at the same time. Defaults: 1 per cluster, 1 per fabric, 10 per group.</span>
        {canManage ? (
          <FormDialog title="Set concurrency limit" opener={(open) => <Button onClick={open}>Set limit…</Button>}>
            {(close) => <BudgetForm close={close} />}
          </FormDialog>
        ) : (
          <span className="dim small">Only admins can set limits.</span>
        )}
      </div>
      <QueryPanel
        query={domains}
        height={140}
        lines={5}
        isEmpty={(data) => data.length === 0}
        empty={<Empty title="No limits in use">A failure domain appears after its first job or when a limit is set.</Empty>}
      >
        {(data) => <DataTable columns={columnsOf(groups)} rows={data} rowKey={(one) => one.domain} />}
      </QueryPanel>
    </section>
  );
}

function Holders({ domain }: { domain: FailureDomain }) {
  if (domain.held_by.length === 0) return <span className="dim">{NO_DATA}</span>;
  return domain.held_by.map((job, index) => (
    <span key={job}>
      {index > 0 ? ", " : ""}
      <Link to="/jobs/$jobId" params={{ jobId: String(job) }} className="link">
        job {job}
      </Link>
    </span>
  ));
}

function BudgetForm({ close }: { close: () => void }) {
  const set = useSetBudget();
  const groups = useGroupChoices();
  const form = useActForm({
    initialValues: { group: null as string | null, fabric: "", slots: 2 as number | string },
    send: ({ group, fabric, slots }) => {
      const domain = fabric.trim() ? `fabric:${group}/${fabric.trim()}` : `group:${group}`;
      return set.mutateAsync({ domain, slots: Number(slots) });
    },
    whenDone: close,
  });
  const missing = !form.values.group ? "Choose a group" : !(Number(form.values.slots) >= 1) ? "Must be at least 1" : "";
  return (
    <FormBody form={form} label="Set limit" missing={missing}>
      <Select label="Group" searchable data={groups} {...form.getInputProps("group")} />
      <TextInput
        label="Fabric (optional)"
        description="Fabric label, such as A. Leave empty to set the group limit."
        maxLength={60}
        {...form.getInputProps("fabric")}
      />
      <NumberInput label="Concurrent hosts" min={1} max={100} allowDecimal={false} {...form.getInputProps("slots")} />
      <p className="dim small">Running jobs are not affected by a lower limit.</p>
    </FormBody>
  );
}
