import { Button, MultiSelect, Select, TextInput } from "@mantine/core";
import { useState } from "react";
import { Prove } from "@/entities/person/confirm-identity";
import { useGroupChoices } from "@/entities/person/queries";
import { IMPACTS } from "@/entities/plan/impact";
import type { StandingCreate } from "@/shared/api/types";
import { isSeen } from "@/shared/lib/text";
import { Failed } from "@/shared/ui/query-panel";
import { Said } from "@/shared/ui/verbatim";
import styles from "./controls.module.css";
import { fieldIn, fromField } from "./labels";
import { useRuleChoices, useSignStanding } from "./queries";

type Setting = { setting: string; value: string };

/** What an approver signs: which fixes, where, how grave at most, until when. */
export function SignForm({ close }: { close: () => void }) {
  const sign = useSignStanding();
  const groups = useGroupChoices();
  const rules = useRuleChoices(true);
  const [name, setName] = useState("");
  const [within, setWithin] = useState<string[]>([]);
  const [chosen, setChosen] = useState<string[]>([]);
  const [settings, setSettings] = useState<Setting[]>([]);
  const [impact, setImpact] = useState<string>("adapter_restart");
  const [until, setUntil] = useState(fieldIn(30 * 24));
  const [password, setPassword] = useState("");
  const expires = fromField(until);
  const missing = !isSeen(name)
    ? "Give it a name first."
    : within.length === 0
      ? "Choose the groups that it holds for."
      : chosen.length + settings.length === 0
        ? "Choose at least one rule, or one setting with its value."
        : expires === undefined
          ? "Say until when it holds."
          : "";
  return (
    <form
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault();
        if (missing || expires === undefined) return;
        sign.mutate(
          {
            name: name.trim(),
            group_ids: within.map(Number),
            items: [...chosen.map((rule) => ({ rule })), ...settings],
            largest_impact: impact as StandingCreate["largest_impact"],
            expires_at: expires,
            password,
          },
          { onSuccess: close, onError: () => setPassword("") },
        );
      }}
    >
      <TextInput label="Name" maxLength={120} data-autofocus value={name} onChange={(event) => setName(event.currentTarget.value)} />
      <MultiSelect
        label="Groups, and all below them"
        searchable
        data={groups}
        value={within}
        onChange={setWithin}
        placeholder={within.length === 0 ? "choose" : undefined}
      />
      <MultiSelect
        label="Rules whose fixes may be run"
        searchable
        limit={60}
        data={(rules.data?.items ?? [])
          .filter((rule) => rule.state === "active")
          .map((rule) => ({ value: `${rule.pack}/${rule.rule}`, label: `${rule.title} (${rule.pack})` }))}
        value={chosen}
        onChange={setChosen}
        placeholder={chosen.length === 0 ? "choose" : undefined}
      />
      {rules.error ? <Failed error={rules.error} retry={rules.refetch} /> : null}
      <Settings settings={settings} set={setSettings} />
      <div className={styles.pair}>
        <Select
          label="Largest impact"
          description="A step that disturbs more is refused."
          allowDeselect={false}
          data={IMPACTS}
          value={impact}
          onChange={(value) => setImpact(value ?? impact)}
        />
        <TextInput
          label="Holds until (UTC)"
          description="Nothing begins after it."
          type="datetime-local"
          min={fieldIn(0)}
          value={until}
          onChange={(event) => setUntil(event.currentTarget.value)}
        />
      </div>
      <Prove password={password} setPassword={setPassword} />
      {sign.error ? <Failed error={sign.error} /> : null}
      <span className="dim small">
        {missing || "You sign for one host at a time, and never run under it yourself. You can withdraw it at any time."}
      </span>
      <div className="row">
        <Button type="submit" variant="filled" disabled={missing !== ""} loading={sign.isPending}>
          Sign it
        </Button>
        <Button onClick={close}>Back</Button>
      </div>
    </form>
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
          label="Or a setting"
          placeholder="adapter.flow_control"
          error={setting !== "" && !KEY.test(setting.trim()) ? "Write it as on a host's settings: adapter.flow_control" : undefined}
          value={setting}
          onChange={(event) => setSetting(event.currentTarget.value)}
        />
        <TextInput label="at the value" placeholder="rx_tx" value={value} onChange={(event) => setValue(event.currentTarget.value)} />
        <Button onClick={add} aria-disabled={!isGood}>
          Add
        </Button>
      </div>
      {settings.length > 0 ? (
        <ul className={styles.items} aria-label="Settings that may be set">
          {settings.map((one) => (
            <li key={`${one.setting} ${one.value}`} className="row">
              <Said of={one.setting} /> to <Said of={one.value} />
              <Button
                size="compact-xs"
                aria-label={`Take out ${one.setting} to ${one.value}`}
                onClick={() => set(settings.filter((other) => other !== one))}
              >
                Take out
              </Button>
            </li>
          ))}
        </ul>
      ) : null}
    </div>
  );
}
