import { Button, Textarea, TextInput } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { api } from "@/shared/api/client";
import { ApiProblem } from "@/shared/api/problem";
import type { HostDetail } from "@/shared/api/types";
import { Failed } from "@/shared/ui/query-panel";

/** Blocks jobs on one host; judging goes on, and whoever looks at the host sees who holds it and why. */
export function HoldForm({ host, close }: { host: HostDetail; close: () => void }) {
  const client = useQueryClient();
  const [reason, setReason] = useState(host.hold?.reason ?? "");
  const [until, setUntil] = useState("");
  const end = until === "" ? null : Date.parse(`${until}Z`);
  const hold = useMutation({
    mutationFn: () =>
      api.PUT("/api/v1/hosts/{host_id}/hold", {
        params: { path: { host_id: host.id } },
        body: { reason: reason.trim(), until: end === null ? null : new Date(end).toISOString() },
      }),
    onSuccess: async () => {
      await client.invalidateQueries();
      close();
    },
  });
  const missing = reason.trim().length < 3 ? "Say why first." : end !== null && !(end > Date.now()) ? "That time is over." : "";
  return (
    <form
      style={{ display: "grid", gap: 14 }}
      onSubmit={(event) => {
        event.preventDefault();
        if (!missing) hold.mutate();
      }}
    >
      <p>
        No job begins on this host and notices about it are muted; it is judged as before. A job that runs ends at its next step boundary.
      </p>
      <Textarea
        label="Reason"
        data-autofocus
        autosize
        minRows={2}
        value={reason}
        onChange={(event) => setReason(event.currentTarget.value)}
      />
      <TextInput
        label="Until (UTC)"
        description="Empty: until somebody releases it."
        type="datetime-local"
        value={until}
        onChange={(event) => setUntil(event.currentTarget.value)}
      />
      {hold.error ? <Failed error={hold.error} /> : null}
      {missing ? <span className="dim small">{missing}</span> : null}
      <Button type="submit" variant="filled" disabled={missing !== ""} loading={hold.isPending}>
        Hold the host
      </Button>
    </form>
  );
}

/** Ends a hold at once: what waits may begin within minutes. */
export function useRelease(host: HostDetail) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => api.DELETE("/api/v1/hosts/{host_id}/hold", { params: { path: { host_id: host.id } } }),
    onSuccess: () => notifications.show({ message: `${host.name} is no longer on hold.` }),
    onError: (error) => notifications.show({ title: "Not released", message: ApiProblem.of(error).message }),
    onSettled: () => client.invalidateQueries(),
  });
}
