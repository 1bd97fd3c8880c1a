import { Button, Select, TextInput } from "@mantine/core";
import { useGroupChoices } from "@/entities/group/queries";
import type { HostRow } from "@/entities/host/types";
import { api } from "@/shared/api/client";
import { plural } from "@/shared/lib/format";
import { ActionDialog } from "@/shared/ui/action-dialog";
import { FormBody, FormDialog } from "@/shared/ui/form-dialog";
import { useActForm } from "@/shared/ui/use-act-form";
import { useEachHost } from "./bulk";

/** Proposes the current configuration of each selected host as its baseline; an approver accepts each. */
export function ProposeSelected({ hosts }: { hosts: readonly HostRow[] }) {
  const propose = useEachHost<string>(
    (done) => `Baseline proposed for ${done}`,
    (host, reason) => api.POST("/api/v1/baselines", { body: { host_id: host.id, group_id: null, reason, ticket: "" } }),
  );
  const failing = hosts.filter((host) => host.n_fail > 0).length;
  return (
    <ActionDialog
      title={`Propose baseline for ${plural(hosts.length, "host")}`}
      label="Propose baseline"
      opener={(open) => <Button onClick={open}>Propose baseline…</Button>}
      reason={{ label: "Reason", description: "Saved in the audit log.", missing: "Enter a reason" }}
      onConfirm={({ reason }) => propose.mutateAsync({ hosts, given: reason })}
    >
      <p>After another person accepts it, every check-in is compared with the host's current configuration.</p>
      {failing > 0 ? (
        <p className="strong">
          {failing === hosts.length ? "Each of these hosts has" : `${failing} of these hosts have`} failing findings. Their baseline would
          hold the values that fail.
        </p>
      ) : null}
    </ActionDialog>
  );
}

/** Moves the selected hosts to a group, or adds tags to them; what is left empty stays as it is. */
export function PlaceSelected({ hosts }: { hosts: readonly HostRow[] }) {
  return (
    <FormDialog
      title={`Group and tags of ${plural(hosts.length, "host")}`}
      opener={(open) => <Button onClick={open}>Group and tags…</Button>}
    >
      {(close) => <PlaceForm hosts={hosts} close={close} />}
    </FormDialog>
  );
}

function PlaceForm({ hosts, close }: { hosts: readonly HostRow[]; close: () => void }) {
  const choices = useGroupChoices();
  const place = useEachHost<{ group: string; tags: string[] }>(
    (done) => `${done} updated`,
    async (host, { group, tags }) => {
      const address = { params: { path: { host_id: host.id } } };
      // Tags are set as a whole, so those that the host has are read first.
      const had = tags.length > 0 ? ((await api.GET("/api/v1/hosts/{host_id}", address)).data?.tags ?? []) : [];
      await api.PATCH("/api/v1/hosts/{host_id}", {
        ...address,
        body: { ...(group ? { group_id: Number(group) } : {}), ...(tags.length > 0 ? { tags: [...new Set([...had, ...tags])] } : {}) },
      });
    },
  );
  const form = useActForm({
    initialValues: { group: "", tags: "" },
    send: ({ group, tags }) => place.mutateAsync({ hosts, given: { group, tags: tags.split(/[\s,]+/).filter(Boolean) } }),
    whenDone: close,
  });
  const { group, tags } = form.values;
  return (
    <FormBody form={form} label="Save" isDisabled={!group && tags.trim() === ""}>
      <Select
        label="Move to group (optional)"
        description="Permissions, packs and mode are inherited from the group."
        searchable
        clearable
        data={choices}
        {...form.getInputProps("group")}
      />
      <TextInput
        label="Add tags (optional)"
        description="Separate with spaces. Tags grant no permissions."
        {...form.getInputProps("tags")}
      />
    </FormBody>
  );
}
