import { notifications } from "@mantine/notifications";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { HostRow } from "@/entities/host/types";
import { api } from "@/shared/api/client";
import { ApiProblem } from "@/shared/api/problem";
import { plural } from "@/shared/lib/format";

/** Hosts whose findings are read for one plan; each is a request of its own. */
export const MOST_PLANNED = 100;

/** One act on each host, one after the other; those that were refused are told with the first reason. */
export function useEachHost<Given>(done: (hosts: string) => string, act: (host: HostRow, given: Given) => Promise<unknown>) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async ({ hosts, given }: { hosts: readonly HostRow[]; given: Given }) => {
      const refused: { host: HostRow; why: string }[] = [];
      for (const host of hosts) {
        try {
          await act(host, given);
        } catch (error) {
          refused.push({ host, why: ApiProblem.of(error).message });
        }
      }
      return refused;
    },
    onSuccess: (refused, { hosts }) => {
      const [first] = refused;
      notifications.show({
        title: done(plural(hosts.length - refused.length, "host")),
        message: first ? `Not for ${plural(refused.length, "host")}. ${first.host.name}: ${first.why}` : "",
      });
      void client.invalidateQueries();
    },
  });
}

/** Every failing finding of these hosts that a plan can fix; only those of the rules, where rules are filtered by. */
export async function findingsToFix(hosts: readonly HostRow[], rules: readonly string[] | undefined) {
  const found = [];
  for (const host of hosts) {
    const { data } = await api.GET("/api/v1/hosts/{host_id}/findings", { params: { path: { host_id: host.id } } });
    for (const { pack, rule, subject, standing, fix } of data?.items ?? []) {
      const isWanted = rules === undefined || rules.includes(`${pack}/${rule}`);
      if (standing === "fail" && fix.length > 0 && isWanted)
        found.push({ host_id: host.id, pack, rule, subject_kind: subject.kind, subject_id: subject.id });
    }
  }
  return found;
}
