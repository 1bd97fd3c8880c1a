import { Radio, Select, Textarea, TextInput } from "@mantine/core";
import { useState } from "react";
import { useGroupChoices } from "@/entities/group/queries";
import { useHost } from "@/entities/host/queries";
import type { Attestations } from "@/entities/waiver/types";
import { capital, visible } from "@/shared/lib/text";
import { zoneLabel } from "@/shared/lib/time";
import { FormBody } from "@/shared/ui/form-dialog";
import { QueryPanel } from "@/shared/ui/query-panel";
import { useZone } from "@/shared/ui/time-ago";
import { useActForm } from "@/shared/ui/use-act-form";
import { endOfDay, inDays, together } from "./labels";
import { useAttest } from "./queries";
import { SwitchEvidence } from "./switch-evidence";
import styles from "./waivers.module.css";

export type AttestableRule = Attestations["rules"][number];

/** The form with the host chosen, as its finding leads here. */
export function AttestOn({ rule, longest, hostId, close }: { rule: AttestableRule; longest: number; hostId: string; close: () => void }) {
  const host = useHost(hostId);
  return (
    <QueryPanel query={host} height={320} lines={8}>
      {({ id, name }) => <AttestForm rule={rule} longest={longest} host={{ id, name }} close={close} />}
    </QueryPanel>
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
  const attest = useAttest();
  const groups = useGroupChoices();
  const firstGroup = groups[0]?.value ?? "";
  const zone = useZone();
  const [file, setFile] = useState<File | null>(null);
  const form = useActForm({
    initialValues: { is_so: "yes", group: "", statement: "", until: inDays(180 < longest ? 180 : longest, zone), link: "" },
    validate: {
      statement: (text) => (text.trim().length >= 10 ? null : "Enter at least 10 characters"),
      until: (date) =>
        date > inDays(0, zone) && date <= inDays(longest - 1, zone)
          ? null
          : `Choose a date between tomorrow and ${inDays(longest - 1, zone)}`,
      link: (text) =>
        text === "" || /^(https?:\/\/\S+|\/[^/\\\s]\S*)$/.test(text) ? null : "Enter a URL starting with https://, or a Plumbline page",
    },
    send: (values) =>
      attest.mutateAsync({
        body: {
          pack: rule.rule.pack,
          rule: rule.rule.rule,
          host_id: host?.id ?? null,
          group_id: host ? null : Number(values.group || firstGroup),
          is_so: values.is_so === "yes",
          statement: values.statement.trim(),
          expires_at: endOfDay(values.until, zone),
          evidence_link: values.link.trim(),
        },
        file,
      }),
    whenDone: close,
  });
  const group = form.values.group || firstGroup;
  return (
    <FormBody form={form} label="Save attestation" isDisabled={!host && group === ""}>
      <p className="dim">{capital(visible(rule.expected))}.</p>
      {rule.also.length > 0 ? (
        <p>
          This covers {rule.also.length + 1} equivalent rules in {together([rule.rule, ...rule.also].map(({ pack }) => pack))}.
        </p>
      ) : null}
      <Radio.Group label="Result" {...form.getInputProps("is_so")}>
        <div className={styles.acts}>
          <Radio value="yes" label="Confirmed" />
          <Radio value="no" label="Not met" />
        </div>
      </Radio.Group>
      {host ? (
        <p>Scope: {visible(host.name)}</p>
      ) : (
        <Select
          label="Group (including subgroups)"
          description="An attestation for a subgroup or host overrides this one."
          searchable
          data={groups}
          {...form.getInputProps("group")}
          value={group}
        />
      )}
      {/* Only what the rule asks about switches can be seen from a host; of an array or a cable's shield it hears nothing. */}
      {/switch/i.test(rule.expected) && (host || group !== "") ? (
        <SwitchEvidence
          {...(host ? { host_id: host.id } : { group_id: Number(group) })}
          use={(text) => form.setFieldValue("statement", [form.values.statement.trim(), text].filter(Boolean).join(" "))}
        />
      ) : null}
      <Textarea
        label="Statement"
        description="Who checked, where, and what they found."
        withAsterisk
        autosize
        minRows={2}
        maxLength={2000}
        {...form.getInputProps("statement")}
      />
      <TextInput
        type="date"
        label={`Valid until (23:59 ${zoneLabel(zone)})`}
        withAsterisk
        min={inDays(1, zone)}
        max={inDays(longest - 1, zone)}
        {...form.getInputProps("until")}
      />
      <TextInput label="Evidence link (optional)" {...form.getInputProps("link")} />
      <div>
        <label htmlFor="attest-file" style={{ display: "block", fontSize: 13, fontWeight: 500, marginBottom: 4 }}>
          File (optional)
        </label>
        <input id="attest-file" type="file" onChange={(event) => setFile(event.currentTarget.files?.[0] ?? null)} />
      </div>
    </FormBody>
  );
}
