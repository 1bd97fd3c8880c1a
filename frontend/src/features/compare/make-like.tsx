import { Button, Checkbox, Textarea } from "@mantine/core";
import { useNavigate } from "@tanstack/react-router";
import { useDraftPlan } from "@/entities/plan/queries";
import type { PlanCreate } from "@/entities/plan/types";
import { plural } from "@/shared/lib/format";
import { visible } from "@/shared/lib/text";
import { FormBody, FormDialog } from "@/shared/ui/form-dialog";
import { useActForm } from "@/shared/ui/use-act-form";
import { FromTo } from "@/shared/ui/verbatim";
import styles from "./compare.module.css";
import type { ComparedSetting, HostComparison } from "./types";

type SettingChoice = NonNullable<PlanCreate["settings"]>[number];

const isRestorable = (item: ComparedSetting): boolean => item.restore_to !== null && item.restore_to !== undefined;
const keyOf = (item: ComparedSetting): string => `${item.subject.kind}/${item.subject.id}/${item.key}`;

/** The title of the plan: whose values the host gets. */
const likeWhat = (data: HostComparison): string =>
  data.other
    ? visible(data.other.name)
    : data.reference === "peers"
      ? "its peers"
      : data.reference === "baseline"
        ? "its baseline"
        : "it was";

/** Plans the values of the other side for this host: the same pre-checks, approval and job as a fix. */
export function MakeLike({ data }: { data: HostComparison }) {
  const items = data.items.filter(isRestorable);
  if (items.length === 0) return null;
  return (
    <FormDialog
      title={`Make ${visible(data.host.name)} like ${likeWhat(data)}`}
      opener={(open) => (
        <Button size="compact-sm" variant="filled" onClick={open}>
          Make it like {likeWhat(data)}…
        </Button>
      )}
    >
      {() => <MakeLikeForm data={data} items={items} />}
    </FormDialog>
  );
}

function MakeLikeForm({ data, items }: { data: HostComparison; items: ComparedSetting[] }) {
  const navigate = useNavigate();
  const draft = useDraftPlan((plan) => void navigate({ to: "/remediate/$planId", params: { planId: String(plan.id) } }));
  const form = useActForm({
    initialValues: { chosen: items.map(keyOf), reason: `Make ${data.host.name} like ${likeWhat(data)}` },
    send: ({ chosen, reason }) =>
      draft.mutateAsync({
        settings: items
          .filter((item) => chosen.includes(keyOf(item)))
          .map((item) => ({
            host_id: data.host.id,
            key: item.key,
            subject_id: item.subject.id,
            to: item.restore_to as SettingChoice["to"],
            reference: data.right_label,
          })),
        reason: reason.trim(),
      }),
  });
  const { chosen, reason } = form.values;
  return (
    <FormBody
      form={form}
      label={`Plan ${plural(chosen.length, "setting")}`}
      missing={chosen.length === 0 ? "Select at least one setting." : ""}
      isDisabled={reason.trim().length < 3}
      note="Creates a plan. Nothing changes before another person approves it. The job can be undone for 24 hours."
    >
      <Checkbox.Group label="Settings to change" {...form.getInputProps("chosen")}>
        <div className={styles.choices}>
          {items.map((item) => (
            <Checkbox
              key={keyOf(item)}
              value={keyOf(item)}
              label={
                <>
                  {item.subject.kind === "host" ? "" : `${visible(item.subject.label)}: `}
                  {item.label} <FromTo from={item.left} to={item.right} />
                </>
              }
            />
          ))}
        </div>
      </Checkbox.Group>
      <Textarea label="Reason" autosize minRows={2} {...form.getInputProps("reason")} />
    </FormBody>
  );
}
