import { Button, Select } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { ConfirmHostKey } from "@/entities/credential/confirm-host-key";
import { useCollectedHosts } from "@/entities/credential/queries";
import type { CollectedHost } from "@/entities/credential/types";
import { useGroupChoices } from "@/entities/group/queries";
import { approveHost, useWaitingHosts } from "@/entities/host/queries";
import type { WaitingHost } from "@/entities/host/types";
import { ApiProblem } from "@/shared/api/problem";
import { count, NO_DATA } from "@/shared/lib/format";
import { visible } from "@/shared/lib/text";
import { type Column, DataTable } from "@/shared/ui/data-table/data-table";
import { Empty, QueryPanel } from "@/shared/ui/query-panel";
import { TimeAgo } from "@/shared/ui/time-ago";

export function Waiting({ canApprove }: { canApprove: boolean }) {
  const waiting = useWaitingHosts();
  const collected = useCollectedHosts();
  const [groups, setGroups] = useState<Record<string, string>>({});
  return (
    <section className="section" aria-label="Hosts pending approval">
      <h2>
        Hosts pending approval <span className="dim">{waiting.data ? count(waiting.data.length) : ""}</span>
      </h2>
      <QueryPanel
        query={waiting}
        height={110}
        isEmpty={(data) => data.length === 0}
        empty={<Empty title="No pending hosts">Hosts appear here after their first check-in. The list refreshes automatically.</Empty>}
      >
        {(data) => (
          <DataTable
            columns={columnsOf({ canApprove, groups, choose: (host, group) => setGroups((all) => ({ ...all, [host]: group })) })}
            rows={data.map((host) => ({ host, collected: collected.data?.find((one) => one.host_id === host.id) }))}
            rowKey={({ host }) => host.id}
          />
        )}
      </QueryPanel>
    </section>
  );
}

interface WaitingRow {
  host: WaitingHost;
  collected: CollectedHost | undefined;
}

interface Choices {
  canApprove: boolean;
  /** The group chosen for a host, by its id; nothing where its token says which. */
  groups: Record<string, string>;
  choose: (host: string, group: string) => void;
}

const columnsOf = ({ canApprove, groups, choose }: Choices): Column<WaitingRow>[] => [
  {
    head: "Host",
    cell: ({ host }) => (
      <Link to="/hosts/$hostId" params={{ hostId: host.id }} className="link strong">
        {visible(host.name)}
      </Link>
    ),
  },
  { head: "Operating system", cell: ({ host }) => visible(host.os_name || host.platform) },
  { head: "Address", className: "mono", cell: ({ host }) => visible(host.address || NO_DATA) },
  { head: "Token", className: "dim", cell: ({ host }) => visible(host.token_name || NO_DATA) },
  { head: "Enrolled", className: "dim nowrap", cell: ({ host }) => <TimeAgo at={host.enrolled_at} /> },
  {
    head: "Last check-in",
    className: "dim nowrap",
    cell: ({ host, collected }) =>
      collected && collected.pins.length === 0 && !collected.is_ca_trusted && canApprove ? (
        <ConfirmHostKey host={collected} />
      ) : (
        <TimeAgo at={host.last_seen_at} none="no check-in yet" />
      ),
  },
  {
    head: "Group",
    cell: ({ host }) => <GroupChoice host={host} value={groups[host.id] ?? ""} choose={(group) => choose(host.id, group)} />,
  },
  {
    head: "Approve",
    isHeadHidden: true,
    isNumber: true,
    cell: ({ host }) =>
      canApprove ? <Approve host={host} group={groups[host.id] ?? ""} /> : <span className="dim">Needs admin approval</span>,
  },
];

function GroupChoice({ host, value, choose }: { host: WaitingHost; value: string; choose: (group: string) => void }) {
  const choices = useGroupChoices();
  return (
    <Select
      aria-label={`Group for ${host.name}`}
      size="xs"
      w={180}
      data={[{ value: "", label: "As set by the token" }, ...choices]}
      value={value}
      onChange={(chosen) => choose(chosen ?? "")}
    />
  );
}

function Approve({ host, group }: { host: WaitingHost; group: string }) {
  const client = useQueryClient();
  const approve = useMutation({
    mutationFn: () => approveHost(host.id, group ? Number(group) : undefined),
    onSuccess: () => {
      notifications.show({ message: `${host.name} approved. It is scored from its next check-in.` });
      void client.invalidateQueries();
    },
    onError: (error) => notifications.show({ title: `Couldn't approve ${host.name}`, message: ApiProblem.of(error).message }),
  });
  return (
    <Button onClick={() => approve.mutate()} loading={approve.isPending} aria-label={`Approve ${host.name}`}>
      Approve
    </Button>
  );
}
