import { Button } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { checkNow } from "@/entities/host/queries";
import type { HostDetail } from "@/entities/host/types";
import { query } from "@/shared/api/client";
import { ApiProblem } from "@/shared/api/problem";
import { visible } from "@/shared/lib/text";
import { StatusLabel } from "@/shared/ui/status";
import { TimeAgo } from "@/shared/ui/time-ago";
import styles from "./host.module.css";

const ASKED_MS = 20_000;

/** Asks for a fresh check-in; the answer says whether the host is read now or comes by itself. */
export function CheckNow({ host }: { host: HostDetail }) {
  const client = useQueryClient();
  const check = useMutation({
    mutationFn: () => checkNow(host.id),
    onSuccess: ({ data }) => {
      notifications.show({ message: data?.words ?? "Check-in requested" });
      void client.invalidateQueries({ queryKey: ["get", "/api/v1/hosts/{host_id}/collection"] });
    },
    onError: (error) => notifications.show({ title: "Couldn't request a check-in", message: ApiProblem.of(error).message }),
  });
  return (
    <Button onClick={() => check.mutate()} loading={check.isPending}>
      Check in now
    </Button>
  );
}

/** How a host without an agent is read, and how the last try went. */
export function CollectionLine({ hostId }: { hostId: string }) {
  const collection = query.useQuery(
    "get",
    "/api/v1/hosts/{host_id}/collection",
    { params: { path: { host_id: hostId } } },
    // Often while it is read or was just read, so that a person who asked sees what comes of it.
    { refetchInterval: ({ state }) => (state.data?.is_running || isRecent(state.data?.last_tried_at) ? 2_000 : 5_000) },
  );
  const data = collection.data;
  if (!data) return null;
  return (
    <div className={styles.facts} style={{ marginTop: 10 }} role="status" aria-label="Collection status">
      <span>{visible(data.words)}</span>
      {data.is_running ? (
        <StatusLabel status="running">Reading…</StatusLabel>
      ) : data.last_error ? (
        <span>
          <StatusLabel status="warn">Last attempt failed</StatusLabel> <TimeAgo at={data.last_tried_at} />: {visible(data.last_error)}
        </span>
      ) : data.last_ok_at ? (
        <span>
          <StatusLabel status="pass">Read</StatusLabel> <TimeAgo at={data.last_ok_at} />
        </span>
      ) : (
        <span>Not read yet</span>
      )}
    </div>
  );
}

const isRecent = (at: string | null | undefined): boolean => at !== null && at !== undefined && Date.now() - Date.parse(at) < ASKED_MS;
