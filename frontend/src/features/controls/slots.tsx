import { Button, Modal, NumberInput, Select, TextInput } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { useGroupChoices, useGroups } from "@/entities/person/queries";
import type { FailureDomain } from "@/shared/api/types";
import { count } from "@/shared/lib/format";
import { visible } from "@/shared/lib/text";
import { Empty, Failed, Panel } from "@/shared/ui/query-panel";
import { ScrollX } from "@/shared/ui/scroll-x";
import styles from "./controls.module.css";
import { domainName, mayRaise } from "./labels";
import { useDomains, useSetBudget } from "./queries";

/** How many hosts of a failure domain may be changed at a time, and which jobs do so now. */
export function Slots({ canManage }: { canManage: boolean }) {
  const domains = useDomains();
  const groups = useGroups().data ?? [];
  const [isOpen, dialog] = useDisclosure(false);
  return (
    <section className={styles.part} aria-label="Slots">
      <div className={styles.bar}>
        <h2>Slots</h2>
        <span className="dim small">how many hosts at a time: a cluster 1, a fabric 1, a group 10, unless a person says otherwise</span>
        {canManage ? <Button onClick={dialog.open}>Set a number …</Button> : <span className="dim small">Admins set the numbers.</span>}
      </div>
      <Panel
        query={domains}
        height={140}
        lines={5}
        isEmpty={(data) => data.length === 0}
        empty={<Empty title="No slot was ever taken.">A domain is listed once a job ran in it, or once it has a number of its own.</Empty>}
      >
        {(data) => (
          <ScrollX>
            <table className="data">
              <thead>
                <tr>
                  <th scope="col">failure domain</th>
                  <th scope="col" className="num">
                    slots
                  </th>
                  <th scope="col" className="num">
                    taken
                  </th>
                  <th scope="col">by</th>
                  <th scope="col">may be raised</th>
                </tr>
              </thead>
              <tbody>
                {data.map((one) => (
                  <tr key={one.domain}>
                    <td>{visible(domainName(one, groups))}</td>
                    <td className="num">{count(one.slots)}</td>
                    <td className="num">{count(one.held_by.length)}</td>
                    <td>
                      <Holders domain={one} />
                    </td>
                    <td className="dim">{mayRaise(one.domain) ? "yes" : "no: two at once is an outage"}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          </ScrollX>
        )}
      </Panel>
      <Modal opened={isOpen} onClose={dialog.close} title="How many hosts at a time" closeButtonProps={{ "aria-label": "Close" }}>
        <BudgetForm close={dialog.close} />
      </Modal>
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
  const [group, setGroup] = useState<string | null>(null);
  const [fabric, setFabric] = useState("");
  const [slots, setSlots] = useState<number | string>(2);
  const missing = !group ? "Choose the group first." : !(Number(slots) >= 1) ? "At least one." : "";
  return (
    <form
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault();
        if (missing) return;
        const domain = fabric.trim() ? `fabric:${group}/${fabric.trim()}` : `group:${group}`;
        set.mutate({ domain, slots: Number(slots) }, { onSuccess: close });
      }}
    >
      <Select label="Group" searchable data={groups} value={group} onChange={setGroup} />
      <TextInput
        label="Fabric"
        description="Its label, such as A. Empty: the number is the group's."
        maxLength={60}
        value={fabric}
        onChange={(event) => setFabric(event.currentTarget.value)}
      />
      <NumberInput label="Hosts at a time" min={1} max={100} allowDecimal={false} value={slots} onChange={setSlots} />
      <p className="dim small">A lower number takes no slot away from a job that holds one.</p>
      {set.error ? <Failed error={set.error} /> : null}
      {missing ? <span className="dim small">{missing}</span> : null}
      <div className="row">
        <Button type="submit" variant="filled" disabled={missing !== ""} loading={set.isPending}>
          Set it
        </Button>
        <Button onClick={close}>Back</Button>
      </div>
    </form>
  );
}
