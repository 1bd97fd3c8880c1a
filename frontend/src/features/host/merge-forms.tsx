import { Select, Textarea } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { notifications } from "@mantine/notifications";
import { useState } from "react";
import type { HostDetail } from "@/entities/host/types";
import { visible } from "@/shared/lib/text";
import { FormBody } from "@/shared/ui/form-dialog";
import { Empty, QueryPanel } from "@/shared/ui/query-panel";
import { TimeAgo } from "@/shared/ui/time-ago";
import { useActForm } from "@/shared/ui/use-act-form";
import { useGoneSubjects, useMergeChoices, useMergeHost, useMergeSubjects } from "./queries";
import type { GoneSubject } from "./types";

/** A host that was imaged anew and enrolled under a new id goes on as its old self. */
export function MergeHost({ host, close }: { host: HostDetail; close: () => void }) {
  const merge = useMergeHost(host.id);
  const [typed, setTyped] = useState("");
  const [wanted] = useDebouncedValue(typed, 200);
  const choices = (useMergeChoices(host, wanted).data?.items ?? []).filter((one) => one.id !== host.id);
  const form = useActForm({
    initialValues: { old: null as string | null, reason: "" },
    send: ({ old, reason }) => merge.mutateAsync({ old_id: old ?? "", reason }),
    whenDone: () => {
      notifications.show({ message: `${host.name} now has the history of the previous record.` });
      close();
    },
  });
  return (
    <FormBody form={form} label="Merge" isDisabled={form.values.old === null || form.values.reason.trim().length < 3}>
      <p>
        Use this after re-imaging a host that enrolled under a new ID. {visible(host.name)} takes over the old record's history, counters,
        waivers, tags and group; the old record is retired. This can't be undone.
      </p>
      <Select
        label="Previous record"
        placeholder="Type a host name"
        searchable
        nothingFoundMessage="No matching hosts"
        data={choices.map((one) => ({ value: one.id, label: `${visible(one.name)}, ${one.state}, ${one.id.slice(0, 8)}` }))}
        searchValue={typed}
        onSearchChange={setTyped}
        {...form.getInputProps("old")}
      />
      <Textarea label="Reason" autosize minRows={2} {...form.getInputProps("reason")} />
    </FormBody>
  );
}

const keyOf = (gone: GoneSubject) => `${gone.kind}/${gone.id}`;

/** A card that was swapped: what was known of the old one goes on under the new one. */
export function MergeSubject({ host, close }: { host: HostDetail; close: () => void }) {
  const gone = useGoneSubjects(host.id);
  return (
    <QueryPanel
      query={gone}
      height={180}
      isEmpty={(data) => data.length === 0}
      empty={<Empty title="No missing parts">Every adapter, VMkernel port, initiator and volume seen on this host is still present.</Empty>}
    >
      {(data) => <SubjectForm host={host} gone={data} close={close} />}
    </QueryPanel>
  );
}

function SubjectForm({ host, gone, close }: { host: HostDetail; gone: GoneSubject[]; close: () => void }) {
  const merge = useMergeSubjects(host.id);
  const oldOf = (key: string | null) => gone.find((one) => keyOf(one) === key);
  const form = useActForm({
    initialValues: { gone: null as string | null, instead: null as string | null, reason: "" },
    send: async (values) => {
      const old = oldOf(values.gone);
      if (!old || values.instead === null) return;
      await merge.mutateAsync({ kind: old.kind, old_id: old.id, new_id: values.instead, reason: values.reason });
    },
    whenDone: close,
  });
  const old = oldOf(form.values.gone);
  return (
    <FormBody form={form} label="Merge" isDisabled={!old || form.values.instead === null || form.values.reason.trim().length < 3}>
      <p>The new part takes over the history of the removed one: changes, counters, waivers, role and fabric.</p>
      <Select
        label="Removed part"
        data={gone.map((one) => ({ value: keyOf(one), label: `${one.kind} ${visible(one.name)} (${visible(one.id)})` }))}
        {...form.getInputProps("gone")}
        onChange={(value) => form.setValues({ gone: value, instead: null })}
      />
      {old ? (
        <span className="dim small">
          Last seen <TimeAgo at={old.gone_at} />
        </span>
      ) : null}
      <Select
        label="Replaced by"
        disabled={!old}
        data={(old?.instead ?? []).map((one) => ({ value: one.id, label: `${visible(one.name)} (${visible(one.id)})` }))}
        {...form.getInputProps("instead")}
      />
      <Textarea label="Reason" autosize minRows={2} {...form.getInputProps("reason")} />
    </FormBody>
  );
}
