import { Button, Radio } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useGroups } from "@/entities/person/queries";
import { api } from "@/shared/api/client";
import type { HostDetail } from "@/shared/api/types";
import { visible } from "@/shared/lib/text";
import { Failed } from "@/shared/ui/query-panel";

/** Whether this host follows its group or is only observed: stricter than the group, never laxer. */
export function ModeForm({ host, close }: { host: HostDetail; close: () => void }) {
  const client = useQueryClient();
  const group = useGroups().data?.find((one) => one.id === host.group_id);
  const [mode, setMode] = useState(host.mode ?? "");
  const save = useMutation({
    mutationFn: () =>
      api.PATCH("/api/v1/hosts/{host_id}", {
        params: { path: { host_id: host.id } },
        body: { mode: mode === "observe" ? "observe" : null },
      }),
    onSuccess: async () => {
      await client.invalidateQueries();
      close();
    },
  });
  const theirs = group ? (group.mode_effective === "observe" ? "observe only" : "remediation allowed") : "not known";
  return (
    <div style={{ display: "grid", gap: 14 }}>
      <p>
        The group {visible(host.group_name)}: {theirs}. A host may be stricter than its group, never laxer; a file <code>observe-only</code>{" "}
        beside the runner on the host refuses every change as well, whatever is set here.
      </p>
      <Radio.Group label="This host" value={mode} onChange={setMode}>
        <div style={{ display: "grid", gap: 10, marginTop: 8 }}>
          <Radio value="" label={`as its group: ${theirs}`} />
          <Radio value="observe" label="observe only" />
        </div>
      </Radio.Group>
      {save.error ? <Failed error={save.error} /> : null}
      <Button variant="filled" onClick={() => save.mutate()} loading={save.isPending}>
        Save
      </Button>
    </div>
  );
}
