import { Button, Checkbox, NumberInput, Select, TextInput } from "@mantine/core";
import { useGroupChoices } from "@/entities/group/queries";
import { isSeen } from "@/shared/lib/text";
import { CopyButton } from "@/shared/ui/copy-button";
import { Failed } from "@/shared/ui/query-panel";
import { SecretOnce } from "@/shared/ui/secret-once";
import { TimeAgo } from "@/shared/ui/time-ago";
import { useActForm } from "@/shared/ui/use-act-form";
import styles from "./enrol.module.css";
import { useCreateToken } from "./queries";
import type { TokenMade } from "./types";

const LIFE = [
  { value: "1", label: "1 hour" },
  { value: "24", label: "24 hours" },
  { value: "168", label: "7 days" },
  { value: "720", label: "30 days" },
];

export function MakeToken() {
  const create = useCreateToken();
  const choices = useGroupChoices();
  const firstGroup = choices[0]?.value ?? "";
  const form = useActForm({
    initialValues: {
      name: "",
      group: "",
      platform: "windows" as "windows" | "esxi",
      pattern: "",
      uses: 1,
      hours: "24",
      isAutoApproved: false,
    },
    validate: { name: (text) => (isSeen(text) ? null : "Enter a purpose") },
    send: (values) =>
      create.mutateAsync({
        name: values.name.trim(),
        group_id: Number(values.group || firstGroup),
        platform: values.platform,
        name_pattern: values.pattern.trim(),
        uses: values.uses,
        expires_hours: Number(values.hours),
        is_auto_approved: values.isAutoApproved,
      }),
  });
  const group = form.values.group || firstGroup;
  return (
    <section aria-label="Create a token">
      <h2>1. Create a token</h2>
      <form className={styles.form} onSubmit={form.submit}>
        <TextInput label="Purpose" placeholder="Berlin racks" required withAsterisk={false} {...form.getInputProps("name")} />
        <Select
          label="Operating system"
          data={[
            { value: "windows", label: "Windows Server" },
            { value: "esxi", label: "ESXi" },
          ]}
          {...form.getInputProps("platform")}
        />
        <Select label="Group" searchable data={choices} {...form.getInputProps("group")} value={group} />
        <TextInput
          label="Host name pattern"
          placeholder="sql-*"
          description="Leave empty to allow any name."
          inputWrapperOrder={["label", "input", "description"]}
          {...form.getInputProps("pattern")}
        />
        <NumberInput label="Number of hosts" min={1} max={10000} {...form.getInputProps("uses")} />
        <Select label="Valid for" data={LIFE} {...form.getInputProps("hours")} />
        <Checkbox
          label="Approve hosts automatically"
          description="Use only on a trusted network."
          {...form.getInputProps("isAutoApproved", { type: "checkbox" })}
        />
        <Button type="submit" variant="filled" size="sm" loading={form.isBusy} disabled={group === ""}>
          Create token
        </Button>
      </form>
      {form.error ? <Failed error={form.error} /> : null}
      {create.data ? <NextSteps token={create.data} /> : null}
    </section>
  );
}

function NextSteps({ token }: { token: TokenMade }) {
  return (
    <div className={styles.made}>
      <SecretOnce title="Token (shown only once):" secret={token.token} label="token">
        <span className="dim">
          Valid until <TimeAgo at={token.expires_at} form="exact" />
        </span>
        <h2 style={{ margin: 0 }}>2. Run this on the host</h2>
        {token.commands.map((one) => (
          <div key={one.title} className={styles.command}>
            <h3>{one.title}</h3>
            <div className={styles.commandLine}>
              <pre className="code">{one.command}</pre>
              <CopyButton text={one.command} label="command" />
            </div>
            {one.notes ? <p className="dim small">{one.notes}</p> : null}
          </div>
        ))}
        <p className="dim">After its first check-in, the host appears below for approval.</p>
      </SecretOnce>
    </div>
  );
}
