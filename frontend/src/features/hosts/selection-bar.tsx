import { Button, CopyButton } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useMutation } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { checkNow } from "@/entities/host/queries";
import type { HostRow } from "@/entities/host/types";
import { CsvDownload } from "@/entities/person/csv-download";
import { useCan } from "@/entities/person/queries";
import { useDraftPlan } from "@/entities/plan/queries";
import { CreateTicket } from "@/entities/ticket/create-ticket";
import { ApiProblem } from "@/shared/api/problem";
import { count, plural } from "@/shared/lib/format";
import { SelectedBar } from "@/shared/ui/data-table/selected-bar";
import { findingsToFix, MOST_PLANNED, useEachHost } from "./bulk";
import { PlaceSelected, ProposeSelected } from "./bulk-dialogs";

/** The most hosts that one request names one by one. */
const MOST_WAIVED = 500;
/** The most hosts whose changes Drift lists apart. */
const MOST_CHANGED = 100;
/** The most hosts whose ids fit into one address. */
const MOST_EXPORTED = 300;

interface SelectionBarProps {
  selected: ReadonlySet<string>;
  rows: HostRow[];
  total: number;
  /** The rules that the list is filtered by: a plan is then about those alone. */
  rules: readonly string[] | undefined;
  /** The order of the list, which an export keeps. */
  sort: string;
  canCheckNow: boolean;
  clear: () => void;
  selectAll: () => void;
  isLoadingAll: boolean;
}

/** What can be done with the selected hosts. */
export function SelectionBar({ selected, rows, total, rules, sort, canCheckNow, clear, selectAll, isLoadingAll }: SelectionBarProps) {
  const can = useCan();
  const chosen = rows.filter((host) => selected.has(host.id));
  const check = useEachHost<undefined>(
    (hosts) => `Check-in requested from ${hosts}`,
    (host) => checkNow(host.id),
  );
  if (selected.size === 0) return null;
  const isTooMany = selected.size > MOST_WAIVED;
  return (
    <SelectedBar label="Selected hosts">
      <span className="strong">
        {count(selected.size)} of {count(total)} selected
      </span>
      {selected.size < total ? (
        <Button variant="subtle" color="gray" onClick={selectAll} loading={isLoadingAll} c="var(--ink)">
          Select all {count(total)}
        </Button>
      ) : null}
      <span style={{ flex: 1 }} />
      {can.draft_plans ? <PlanSelected hosts={chosen} rules={rules} /> : null}
      {can.draft_plans ? <ProposeSelected hosts={chosen} /> : null}
      {can.request_waivers ? (
        <Button
          disabled={isTooMany}
          title={isTooMany ? `A waiver covers at most ${MOST_WAIVED} hosts. Waive the rule on their group instead.` : undefined}
          renderRoot={(props) => <Link to="/waivers/new" search={{ host: [...selected].slice(0, MOST_WAIVED) }} {...props} />}
        >
          Request waiver…
        </Button>
      ) : null}
      <Button
        disabled={selected.size > MOST_CHANGED}
        title={selected.size > MOST_CHANGED ? `Select at most ${MOST_CHANGED} hosts, or filter Drift by a group.` : undefined}
        renderRoot={(props) => <Link to="/drift" search={{ host: [...selected].slice(0, MOST_CHANGED) }} {...props} />}
      >
        View changes
      </Button>
      {can.send_tickets && !isTooMany ? <CreateTicket about={{ host_ids: [...selected] }} /> : null}
      {can.enrol ? <PlaceSelected hosts={chosen} /> : null}
      {canCheckNow ? (
        <Button onClick={() => check.mutate({ hosts: chosen, given: undefined })} loading={check.isPending}>
          Check in now
        </Button>
      ) : null}
      {selected.size <= MOST_EXPORTED ? (
        <CsvDownload table="hosts.csv" about="the selected hosts" filters={{ host: [...selected], sort }} label="Export selected" />
      ) : (
        <Button disabled title={`Select at most ${MOST_EXPORTED} hosts, or export the filtered list.`}>
          Export selected
        </Button>
      )}
      <CopyButton value={chosen.map((host) => host.name).join("\n")}>
        {({ copied, copy }) => <Button onClick={copy}>{copied ? "Copied" : "Copy names"}</Button>}
      </CopyButton>
      <Button onClick={clear}>Clear selection</Button>
    </SelectedBar>
  );
}

/** One plan for what fails on the selected hosts and can be fixed; the planner says what is blocked on which host. */
function PlanSelected({ hosts, rules }: { hosts: readonly HostRow[]; rules: readonly string[] | undefined }) {
  const navigate = useNavigate();
  const draft = useDraftPlan((plan) => void navigate({ to: "/remediate/$planId", params: { planId: String(plan.id) } }));
  const plan = useMutation({
    mutationFn: async () => {
      const findings = await findingsToFix(hosts, rules);
      if (findings.length === 0) {
        notifications.show({ title: "Nothing to plan", message: "No failing finding of these hosts has an automated fix." });
        return;
      }
      await draft.mutateAsync({ findings, reason: `Fix ${plural(findings.length, "finding")} on ${plural(hosts.length, "host")}` });
    },
    onError: (error) => notifications.show({ title: "Couldn't create the plan", message: ApiProblem.of(error).message }),
  });
  const isTooMany = hosts.length > MOST_PLANNED;
  return (
    <Button
      variant="filled"
      disabled={isTooMany}
      title={isTooMany ? `Select at most ${MOST_PLANNED} hosts, or plan from the rule's page.` : undefined}
      onClick={() => plan.mutate()}
      loading={plan.isPending}
    >
      Plan fix ({count(hosts.length)})
    </Button>
  );
}
