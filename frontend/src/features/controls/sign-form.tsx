import { Button, MultiSelect, Select, TextInput } from "@mantine/core";
import { useState } from "react";
import type { StandingCreate } from "@/entities/controls/types";
import { useGroupChoices } from "@/entities/group/queries";
import { ConfirmIdentity } from "@/entities/person/confirm-identity";
import { IMPACTS } from "@/entities/plan/impact";
import { useRules } from "@/entities/rule/queries";
import { dateFieldIn, fromDateField } from "@/shared/lib/date-field";
import { isSeen } from "@/shared/lib/text";
import { zoneLabel } from "@/shared/lib/time";
import { FormBody } from "@/shared/ui/form-dialog";
import { Failed } from "@/shared/ui/query-panel";
import { useZone } from "@/shared/ui/time-ago";
import { useActForm } from "@/shared/ui/use-act-form";
import { Verbatim } from "@/shared/ui/verbatim";
import styles from "./controls.module.css";
import { useSignStanding } from "./queries";

type Setting = { setting: string; value: string };

/** What an approver signs: which fixes, on which groups, the maximum disruption, and until when. */
export function SignForm({ close }: { close: () => void }) {
  const sign = useSignStanding();
  const zone = useZone();
  const groups = useGroupChoices();
  const rules = useRules();
  const form = useActForm({
    initialValues: {
      name: "",
      groups: [] as string[],
      rules: [] as string[],
      settings: [] as Setting[],
      impact: "adapter_restart" as StandingCreate["largest_impact"],
      until: dateFieldIn(30 * 24, zone),
      password: "",
    },
    send: (values) =>
      sign.mutateAsync(
        {
          name: values.name.trim(),
          group_ids: values.groups.map(Number),
          items: [...values.rules.map((rule) => ({ rule })), ...values.settings],
          largest_impact: values.impact,
          expires_at: fromDateField(values.until, zone) ?? "",
          password: values.password,
        },
        { onError: () => form.setFieldValue("password", "") },
      ),
    whenDone: close,
  });
  const { values } = form;
  const missing = !isSeen(values.name)
    ? "Enter a name"
    : values.groups.length === 0
      ? "Choose at least one group"
      : values.rules.length + values.settings.length === 0
        ? "Choose at least one rule or setting"
        : fromDateField(values.until, zone) === undefined
          ? "Choose an expiry date"
          : "";
  return (
    <FormBody
      form={form}
      label="Sign standing approval"
      missing={missing}
      note="Applies to one host at a time. You can't use it yourself. You can withdraw it at any time."
    >
      <TextInput label="Name" maxLength={120} data-autofocus {...form.getInputProps("name")} />
      <MultiSelect
        label="Groups (including subgroups)"
        searchable
        data={groups}
        placeholder={values.groups.length === 0 ? "Select" : undefined}
        {...form.getInputProps("groups")}
      />
      <MultiSelect
        label="Rules whose fixes are allowed"
        searchable
        limit={60}
        data={(rules.data?.items ?? [])
          .filter((rule) => rule.state === "active")
          .map((rule) => ({ value: `${rule.pack}/${rule.rule}`, label: `${rule.title} (${rule.pack})` }))}
        placeholder={values.rules.length === 0 ? "Select" : undefined}
        {...form.getInputProps("rules")}
      />
      {rules.error ? <Failed error={rules.error} retry={rules.refetch} /> : null}
      <Settings settings={values.settings} set={(settings) => form.setFieldValue("settings", settings)} />
      <div className={styles.pair}>
        <Select
          label="Maximum disruption"
          description="Steps that disrupt more are rejected."
          allowDeselect={false}
          data={IMPACTS}
          {...form.getInputProps("impact")}
        />
        <TextInput
          label={`Expires (${zoneLabel(zone)})`}
          description="No job starts after this time."
          type="datetime-local"
          min={dateFieldIn(0, zone)}
          {...form.getInputProps("until")}
        />
      </div>
      <ConfirmIdentity password={values.password} setPassword={(password) => form.setFieldValue("password", password)} />
    </FormBody>
  );
}

const KEY = /^[a-z_]+\.[a-z0-9_.]+$/;

function Settings({ settings, set }: { settings: Setting[]; set: (settings: Setting[]) => void }) {
  const [setting, setSetting] = useState("");
  const [value, setValue] = useState("");
  const isGood = KEY.test(setting.trim()) && value.trim() !== "";
  const add = () => {
    if (!isGood) return;
    const next = { setting: setting.trim(), value: value.trim() };
    if (!settings.some((one) => one.setting === next.setting && one.value === next.value)) set([...settings, next]);
    setSetting("");
    setValue("");
  };
  return (
    <div>
      <div className={styles.setting}>
        <TextInput
          label="Setting (optional)"
          placeholder="adapter.flow_control"
          error={
            setting !== "" && !KEY.test(setting.trim()) ? "Use the key from a host's Settings tab, such as adapter.flow_control" : undefined
          }
          value={setting}
          onChange={(event) => setSetting(event.currentTarget.value)}
        />
        <TextInput label="Value" placeholder="rx_tx" value={value} onChange={(event) => setValue(event.currentTarget.value)} />
        <Button onClick={add} aria-disabled={!isGood}>
          Add
        </Button>
      </div>
      {settings.length > 0 ? (
        <ul className={styles.items} aria-label="Allowed settings">
          {settings.map((one) => (
            <li key={`${one.setting} ${one.value}`} className="row">
              <Verbatim of={one.setting} /> to <Verbatim of={one.value} />
              <Button
                size="compact-xs"
                aria-label={`Remove ${one.setting} to ${one.value}`}
                onClick={() => set(settings.filter((other) => other !== one))}
              >
                Remove
              </Button>
            </li>
          ))}
        </ul>
      ) : null}
    </div>
  );
}
