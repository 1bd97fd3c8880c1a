import { Button, Select } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { ConfirmKey } from "@/entities/credential/confirm-host-key";
import { useCollectedHosts } from "@/entities/credential/queries";
import { useGroupChoices } from "@/entities/person/queries";
import { api, query } from "@/shared/api/client";
import { ApiProblem } from "@/shared/api/problem";
import type { CollectedHost, WaitingHost } from "@/shared/api/types";
import { count, NO_DATA } from "@/shared/lib/format";
import { visible } from "@/shared/lib/text";
import { Empty, Panel } from "@/shared/ui/query-panel";
import { ScrollX } from "@/shared/ui/scroll-x";
import { Instant } from "@/shared/ui/time-ago";

export function Waiting({ canApprove }: { canApprove: boolean }) {
  const waiting = query.useQuery("get", "/api/v1/enrolment/waiting", {}, { refetchInterval: 10_000 });
  const collected = useCollectedHosts();
  return (
    <section className="section" aria-label="Hosts that wait">
      <h2>
        Hosts that wait for approval <span className="dim">{waiting.data ? count(waiting.data.length) : ""}</span>
      </h2>
      <Panel
        query={waiting}
        height={110}
        isEmpty={(data) => data.length === 0}
        empty={<Empty title="No host waits.">A host stands here from its first check-in on. This list renews itself.</Empty>}
      >
        {(data) => (
          <ScrollX>
            <table className="data" data-fits>
              <thead>
                <tr>
                  <th scope="col">host</th>
                  <th scope="col">system</th>
                  <th scope="col" className="on-desk">
                    address
                  </th>
                  <th scope="col" className="on-desk">
                    by token
                  </th>
                  <th scope="col" className="on-desk">
                    enrolled
                  </th>
                  <th scope="col">check-in</th>
                  <th scope="col" className="on-desk">
                    into the group
                  </th>
                  <th scope="col">
                    <span className="hidden-visually">approve</span>
                  </th>
                </tr>
              </thead>
              <tbody>
                {data.map((host) => (
                  <Row
                    key={host.id}
                    host={host}
                    collected={collected.data?.find((one) => one.host_id === host.id)}
                    canApprove={canApprove}
                  />
                ))}
              </tbody>
            </table>
          </ScrollX>
        )}
      </Panel>
    </section>
  );
}

function Row({ host, collected, canApprove }: { host: WaitingHost; collected: CollectedHost | undefined; canApprove: boolean }) {
  const client = useQueryClient();
  const choices = useGroupChoices();
  const [group, setGroup] = useState("");
  const approve = useMutation({
    mutationFn: () =>
      api.POST("/api/v1/hosts/{host_id}/approve", {
        params: { path: { host_id: host.id } },
        body: group ? { group_id: Number(group) } : {},
      }),
    onSuccess: () => {
      notifications.show({ message: `${host.name} is approved and scored from its next check-in on.` });
      void client.invalidateQueries();
    },
    onError: (error) => notifications.show({ title: `${host.name} is not approved`, message: ApiProblem.of(error).message }),
  });
  return (
    <tr>
      <td>
        <Link to="/hosts/$hostId" params={{ hostId: host.id }} className="link strong">
          {visible(host.name)}
        </Link>
      </td>
      <td>{visible(host.os_name || host.platform)}</td>
      <td className="mono on-desk">{visible(host.address || NO_DATA)}</td>
      <td className="dim on-desk">{visible(host.token_name || NO_DATA)}</td>
      <td className="dim nowrap on-desk">
        <Instant at={host.enrolled_at} />
      </td>
      <td className="dim nowrap">
        {collected && collected.pins.length === 0 && !collected.is_ca_trusted && canApprove ? (
          <ConfirmKey host={collected} />
        ) : (
          <Instant at={host.last_seen_at} none="no check-in yet" />
        )}
      </td>
      <td className="on-desk">
        <Select
          aria-label={`Group for ${host.name}`}
          size="xs"
          w={180}
          data={[{ value: "", label: "as the token says" }, ...choices]}
          value={group}
          onChange={(chosen) => setGroup(chosen ?? "")}
        />
      </td>
      <td className="num">
        {canApprove ? (
          <Button onClick={() => approve.mutate()} loading={approve.isPending} aria-label={`Approve ${host.name}`}>
            Approve
          </Button>
        ) : (
          <span className="dim">an admin approves</span>
        )}
      </td>
    </tr>
  );
}
