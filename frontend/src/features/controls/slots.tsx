import { Button, NumberInput, Select, TextInput } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import type { FailureDomain } from "@/entities/controls/types";
import { useGroupChoices, useGroups } from "@/entities/group/queries";
import type { Group } from "@/entities/group/types";
import { count } from "@/shared/lib/format";
import { visible } from "@/shared/lib/text";
import { type Column, DataTable } from "@/shared/ui/data-table/data-table";
import { FormBody, FormDialog } from "@/shared/ui/form-dialog";
import { Empty, QueryPanel } from "@/shared/ui/query-panel";
import { useActForm } from "@/shared/ui/use-act-form";
import styles from "./controls.module.css";
import { domainName, mayRaise } from "./labels";
import { useDomains, useSetBudget } from "./queries";

const columnsOf = (groups: Group[]): Column<FailureDomain>[] => [
  { head: "failure domain", cell: (one) => visible(domainName(one, groups)) },
  { head: "slots", isNumber: true, cell: (one) => count(one.slots) },
  { head: "taken", isNumber: true, cell: (one) => count(one.held_by.length) },
  { head: "by", cell: (one) => <Holders domain={one} /> },
  { head: "may be raised", className: "dim", cell: (one) => (mayRaise(one.domain) ? "yes" : "no: two at once is an outage") },
];

/** How many hosts of a failure domain may be changed at a time, and which jobs do so now. */
export function Slots({ canManage }: { canManage: boolean }) {
  const domains = useDomains();
  const groups = useGroups().data ?? [];
  return (
    <section className={styles.part} aria-label="Slots">
      <div className={styles.bar}>
        <h2>Slots</h2>
        <span className="dim small">how many hosts at a time: a cluster 1, a fabric 1, a group 10, unless a person says otherwise</span>
        {canManage ? (
          <FormDialog title="How many hosts at a time" opener={(open) => <Button onClick={open}>Set a number …</Button>}>
            {(close) => <BudgetForm close={close} />}
          </FormDialog>
        ) : (
          <span className="dim small">Admins set the numbers.</span>
        )}
      </div>
      <QueryPanel
        query={domains}
        height={140}
        lines={5}
        isEmpty={(data) => data.length === 0}
        empty={<Empty title="No slot was ever taken.">A domain is listed once a job ran in it, or once it has a number of its own.</Empty>}
      >
        {(data) => <DataTable columns={columnsOf(groups)} rows={data} rowKey={(one) => one.domain} />}
      </QueryPanel>
    </section>
  );
}

function Holders({ domain }: { domain: FailureDomain }) {
  if (domain.held_by.length === 0) return <span className="dim">nobody</span>;
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
  const missing = !form.values.group ? "Choose the group first." : !(Number(form.values.slots) >= 1) ? "At least one." : "";
  return (
    <FormBody form={form} label="Set it" missing={missing} back={close}>
      <Select label="Group" searchable data={groups} {...form.getInputProps("group")} />
      <TextInput
        label="Fabric"
        description="Its label, such as A. Empty: the number is the group's."
        maxLength={60}
        {...form.getInputProps("fabric")}
      />
      <NumberInput label="Hosts at a time" min={1} max={100} allowDecimal={false} {...form.getInputProps("slots")} />
      <p className="dim small">A lower number takes no slot away from a job that holds one.</p>
    </FormBody>
  );
}
