import { Autocomplete, MultiSelect, NumberInput, SegmentedControl, Select, TextInput } from "@mantine/core";
import type { WindowCreate } from "@/entities/controls/types";
import { useGroupChoices } from "@/entities/group/queries";
import { isSeen } from "@/shared/lib/text";
import { browserZone } from "@/shared/lib/time";
import { FormBody } from "@/shared/ui/form-dialog";
import { useActForm } from "@/shared/ui/use-act-form";
import styles from "./controls.module.css";
import { NTH_CHOICES, recurrence, WEEKDAYS } from "./labels";
import { useMakeWindow } from "./queries";

const ZONES = [...new Set(["UTC", ...Intl.supportedValuesOf("timeZone")])];

const NOTHING = {
  name: "",
  group: null as string | null,
  often: "weekly",
  days: ["6"],
  nth: [] as string[],
  date: "",
  starts: "22:00",
  hours: 4 as number | string,
  zone: "",
};

function bodyOf({ name, group, often, days, nth, date, starts, hours, zone }: typeof NOTHING): WindowCreate {
  const isOnce = often === "once";
  return {
    group_id: Number(group),
    name: name.trim(),
    time_zone: zone.trim(),
    weekdays: isOnce ? [] : days.map(Number).sort(),
    nth: isOnce ? [] : (nth.map(Number) as WindowCreate["nth"]),
    on_date: isOnce ? date : "",
    starts_at_time: starts,
    lasts_minutes: Math.round(Number(hours) * 60),
  };
}

function missingOf({ name, group, often, days, date, starts, hours }: typeof NOTHING): string {
  if (!group) return "Choose a group";
  if (!isSeen(name.trim())) return "Enter a name";
  if (often === "once" && date === "") return "Choose a date";
  if (often !== "once" && days.length === 0) return "Choose at least one weekday";
  if (starts === "" || !(Math.round(Number(hours) * 60) >= 15)) return "Enter a start time and a duration of at least 15 minutes";
  return "";
}

/** A window in the site's time zone: on some days of the week, or once. The form shows the result as a sentence. */
export function WindowForm({ close }: { close: () => void }) {
  const make = useMakeWindow();
  const groups = useGroupChoices();
  const form = useActForm({
    initialValues: { ...NOTHING, zone: browserZone() },
    send: (values) => make.mutateAsync(bodyOf(values)),
    whenDone: close,
  });
  const { often, nth } = form.values;
  const missing = missingOf(form.values);
  return (
    <FormBody form={form} label="Create window" isDisabled={missing !== ""}>
      <TextInput label="Name" maxLength={120} data-autofocus {...form.getInputProps("name")} />
      <Select label="Group (including subgroups)" searchable data={groups} {...form.getInputProps("group")} />
      <SegmentedControl
        aria-label="Repeat"
        data={[
          { value: "weekly", label: "Weekly" },
          { value: "once", label: "Once" },
        ]}
        {...form.getInputProps("often")}
      />
      {often === "once" ? (
        <TextInput label="Date" type="date" {...form.getInputProps("date")} />
      ) : (
        <div className={styles.pair}>
          <MultiSelect label="Days" data={WEEKDAYS} {...form.getInputProps("days")} />
          <MultiSelect
            label="Week of the month"
            placeholder={nth.length === 0 ? "Every week" : undefined}
            data={NTH_CHOICES}
            {...form.getInputProps("nth")}
          />
        </div>
      )}
      <div className={styles.pair}>
        <TextInput
          label="Start time"
          type="time"
          {...form.getInputProps("starts")}
          onChange={(event) => form.setFieldValue("starts", event.currentTarget.value.slice(0, 5))}
        />
        <NumberInput label="Duration (hours)" min={0.25} max={168} step={0.5} decimalScale={2} {...form.getInputProps("hours")} />
      </div>
      <Autocomplete
        label="Time zone"
        description="Local time, adjusted for daylight saving."
        limit={40}
        data={ZONES}
        {...form.getInputProps("zone")}
      />
      <p role="status" className={missing ? "dim small" : undefined}>
        {missing || `Opens ${recurrence(bodyOf(form.values) as Required<WindowCreate>)}.`}
      </p>
    </FormBody>
  );
}
