import { Button, Checkbox, NumberInput, Select, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useGroupChoices } from "@/entities/person/queries";
import { api } from "@/shared/api/client";
import type { TokenMade } from "@/shared/api/types";
import { isSeen } from "@/shared/lib/text";
import { Copy, CopyAction } from "@/shared/ui/copy-button";
import { Failed } from "@/shared/ui/query-panel";
import { Instant } from "@/shared/ui/time-ago";
import styles from "./enrol.module.css";

const LIFE = [
  { value: "1", label: "1 hour" },
  { value: "24", label: "24 hours" },
  { value: "168", label: "7 days" },
  { value: "720", label: "30 days" },
];

interface Values {
  name: string;
  group: string;
  platform: "windows" | "esxi";
  pattern: string;
  uses: number;
  hours: string;
  isAutoApproved: boolean;
}

export function MakeToken() {
  const client = useQueryClient();
  const choices = useGroupChoices();
  const form = useForm<Values>({
    initialValues: { name: "", group: "", platform: "windows", pattern: "", uses: 1, hours: "24", isAutoApproved: false },
    validate: { name: (text) => (isSeen(text) ? null : "Say what the token is for") },
  });
  const first = choices[0];
  const group = form.values.group || (first ? first.value : "");
  const make = useMutation({
    mutationFn: async (values: Values) => {
      const answer = await api.POST("/api/v1/enrolment/tokens", {
        body: {
          name: values.name.trim(),
          group_id: Number(group),
          platform: values.platform,
          name_pattern: values.pattern.trim(),
          uses: values.uses,
          expires_hours: Number(values.hours),
          is_auto_approved: values.isAutoApproved,
        },
      });
      if (!answer.data) throw new TypeError("the token came without a body");
      return answer.data;
    },
    onSuccess: () => client.invalidateQueries({ queryKey: ["get", "/api/v1/enrolment/tokens"] }),
  });
  return (
    <section aria-label="Make a token">
      <h2>1. Make a token</h2>
      <form className={styles.form} onSubmit={form.onSubmit((values) => make.mutate(values))}>
        <TextInput label="What it is for" placeholder="Berlin racks" required withAsterisk={false} {...form.getInputProps("name")} />
        <Select
          label="System of the host"
          data={[
            { value: "windows", label: "Windows Server" },
            { value: "esxi", label: "ESXi" },
          ]}
          {...form.getInputProps("platform")}
        />
        <Select label="Group" searchable data={choices} value={group} onChange={(chosen) => form.setFieldValue("group", chosen ?? "")} />
        <TextInput
          label="Only hosts named"
          placeholder="sql-*"
          description="Empty: any name."
          inputWrapperOrder={["label", "input", "description"]}
          {...form.getInputProps("pattern")}
        />
        <NumberInput label="Good for so many hosts" min={1} max={10000} {...form.getInputProps("uses")} />
        <Select label="Good for so long" data={LIFE} {...form.getInputProps("hours")} />
        <Checkbox
          label="Approve the hosts without asking"
          description="Only where nobody else reaches this network."
          {...form.getInputProps("isAutoApproved", { type: "checkbox" })}
        />
        <Button type="submit" variant="filled" size="sm" loading={make.isPending} disabled={group === ""}>
          Make the token
        </Button>
      </form>
      {make.error ? <Failed error={make.error} /> : null}
      {make.data ? <Made made={make.data} /> : null}
    </section>
  );
}

function Made({ made }: { made: TokenMade }) {
  return (
    <div className={styles.made} role="status">
      <div className={styles.token}>
        <span className="strong">The token, shown this once:</span>
        <Copy text={made.token} label="token" />
        <span className="dim">
          good until <Instant at={made.expires_at} form="exact" />
        </span>
      </div>
      <h2 style={{ margin: 0 }}>2. Run this on the host</h2>
      {made.commands.map((one) => (
        <div key={one.title} className={styles.command}>
          <h3>{one.title}</h3>
          <div className={styles.commandLine}>
            <pre className="code">{one.command}</pre>
            <CopyAction text={one.command} label="command" />
          </div>
          {one.notes ? <p className="dim small">{one.notes}</p> : null}
        </div>
      ))}
      <p className="dim">Its first check-in puts it below, where it waits for approval.</p>
    </div>
  );
}
