import { Button, Radio, Select, Textarea, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { useGroupChoices } from "@/entities/person/queries";
import { api, query } from "@/shared/api/client";
import type { Attestations } from "@/shared/api/types";
import { visible } from "@/shared/lib/text";
import { Failed, Panel } from "@/shared/ui/query-panel";
import { endOfDay, inDays, together } from "./labels";
import { upload, useReread } from "./queries";
import styles from "./waivers.module.css";

export type AttestableRule = Attestations["rules"][number];

/** The form with the host chosen, as its finding leads here. */
export function AttestOn({ rule, longest, hostId, close }: { rule: AttestableRule; longest: number; hostId: string; close: () => void }) {
  const host = query.useQuery("get", "/api/v1/hosts/{host_id}", { params: { path: { host_id: hostId } } });
  return (
    <Panel query={host} height={320} lines={8}>
      {({ id, name }) => <AttestForm rule={rule} longest={longest} host={{ id, name }} close={close} />}
    </Panel>
  );
}

/** For a whole group; for one host the host's own finding leads here with the host named. */
export function AttestForm({
  rule,
  longest,
  host,
  close,
}: {
  rule: AttestableRule;
  longest: number;
  host?: { id: string; name: string };
  close: () => void;
}) {
  const reread = useReread();
  const groups = useGroupChoices();
  const [file, setFile] = useState<File | null>(null);
  const form = useForm({
    initialValues: { is_so: "yes", group: "", statement: "", until: inDays(180 < longest ? 180 : longest), link: "" },
    validate: {
      statement: (text) => (text.trim().length >= 10 ? null : "Say who looked, where and how, in at least ten letters"),
      until: (date) => (date > inDays(0) && date <= inDays(longest) ? null : `A day from tomorrow to ${inDays(longest)}`),
      link: (text) =>
        text === "" || /^(https?:\/\/\S+|\/[^/\\\s]\S*)$/.test(text) ? null : "An address that begins with https:// or a page here",
    },
  });
  const group = form.values.group || groups[0]?.value || "";
  const send = useMutation({
    mutationFn: async (values: typeof form.values) => {
      const answer = await api.POST("/api/v1/attestations", {
        body: {
          pack: rule.rule.pack,
          rule: rule.rule.rule,
          host_id: host?.id ?? null,
          group_id: host ? null : Number(group),
          is_so: values.is_so === "yes",
          statement: values.statement.trim(),
          expires_at: endOfDay(values.until),
          evidence_link: values.link.trim(),
        },
      });
      if (file && answer.data) await upload(`attestations/${answer.data.id}`, file);
    },
    onSuccess: async () => {
      await reread();
      close();
    },
  });
  return (
    <form className={styles.form} onSubmit={form.onSubmit((values) => send.mutate(values))}>
      <p className="dim">{rule.expected}</p>
      {rule.also.length > 0 ? (
        <p>
          This answers {rule.also.length + 1} rules that ask the same, those of{" "}
          {together([rule.rule, ...rule.also].map(({ pack }) => pack))}: there is nothing to attest twice.
        </p>
      ) : null}
      <Radio.Group label="It is" {...form.getInputProps("is_so")}>
        <div className={styles.acts}>
          <Radio value="yes" label="so" />
          <Radio value="no" label="not so" />
        </div>
      </Radio.Group>
      {host ? (
        <p>On {visible(host.name)}.</p>
      ) : (
        <Select
          label="On the group and every host below it"
          description="A nearer group or a host may be attested apart; the nearest speaks."
          searchable
          data={groups}
          value={group}
          onChange={(chosen) => form.setFieldValue("group", chosen ?? "")}
        />
      )}
      <Textarea
        label="Statement"
        description="Who looked, where, and what was seen."
        withAsterisk
        autosize
        minRows={2}
        maxLength={2000}
        {...form.getInputProps("statement")}
      />
      <TextInput
        type="date"
        label="Holds until, 23:59 UTC"
        withAsterisk
        min={inDays(1)}
        max={inDays(longest)}
        {...form.getInputProps("until")}
      />
      <TextInput label="Link to evidence, if any" {...form.getInputProps("link")} />
      <div>
        <label htmlFor="attest-file" style={{ display: "block", fontSize: 13, fontWeight: 500, marginBottom: 4 }}>
          File, if any
        </label>
        <input id="attest-file" type="file" onChange={(event) => setFile(event.currentTarget.files?.[0] ?? null)} />
      </div>
      {send.error ? <Failed error={send.error} /> : null}
      <Button type="submit" variant="filled" loading={send.isPending} disabled={!host && group === ""}>
        Attest it
      </Button>
    </form>
  );
}
