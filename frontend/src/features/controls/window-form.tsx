import { Autocomplete, Button, MultiSelect, NumberInput, SegmentedControl, Select, TextInput } from "@mantine/core";
import { useState } from "react";
import { useGroupChoices } from "@/entities/person/queries";
import type { WindowCreate } from "@/shared/api/types";
import { isSeen } from "@/shared/lib/text";
import { browserZone } from "@/shared/lib/time";
import { Failed } from "@/shared/ui/query-panel";
import styles from "./controls.module.css";
import { NTH_CHOICES, recurrence, WEEKDAYS } from "./labels";
import { useMakeWindow } from "./queries";

const ZONES = [...new Set(["UTC", ...Intl.supportedValuesOf("timeZone")])];

/** A window by the site's own clock: on some days of the week, or once. What it comes to is said in words before it is made. */
export function WindowForm({ close }: { close: () => void }) {
  const make = useMakeWindow();
  const groups = useGroupChoices();
  const [group, setGroup] = useState<string | null>(null);
  const [name, setName] = useState("");
  const [zone, setZone] = useState(browserZone());
  const [form, setForm] = useState("weekly");
  const [days, setDays] = useState<string[]>(["6"]);
  const [nth, setNth] = useState<string[]>([]);
  const [date, setDate] = useState("");
  const [starts, setStarts] = useState("22:00");
  const [hours, setHours] = useState<number | string>(4);
  const isOnce = form === "once";
  const body: WindowCreate = {
    group_id: Number(group),
    name: name.trim(),
    time_zone: zone.trim(),
    weekdays: isOnce ? [] : days.map(Number).sort(),
    nth: isOnce ? [] : (nth.map(Number) as WindowCreate["nth"]),
    on_date: isOnce ? date : "",
    starts_at_time: starts,
    lasts_minutes: Math.round(Number(hours) * 60),
  };
  const missing = !group
    ? "Choose the group first."
    : !isSeen(body.name)
      ? "Give it a name."
      : isOnce && date === ""
        ? "Choose the day."
        : !isOnce && days.length === 0
          ? "Choose at least one day of the week."
          : starts === "" || !(body.lasts_minutes >= 15)
            ? "Say when it opens, and for how long (a quarter of an hour at least)."
            : "";
  return (
    <form
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault();
        if (!missing) make.mutate(body, { onSuccess: close });
      }}
    >
      <TextInput label="Name" maxLength={120} data-autofocus value={name} onChange={(event) => setName(event.currentTarget.value)} />
      <Select label="Group, and all below it" searchable data={groups} value={group} onChange={setGroup} />
      <SegmentedControl
        aria-label="How often"
        data={[
          { value: "weekly", label: "Days of the week" },
          { value: "once", label: "Once" },
        ]}
        value={form}
        onChange={setForm}
      />
      {isOnce ? (
        <TextInput label="Day" type="date" value={date} onChange={(event) => setDate(event.currentTarget.value)} />
      ) : (
        <div className={styles.pair}>
          <MultiSelect label="Days" data={WEEKDAYS} value={days} onChange={setDays} />
          <MultiSelect
            label="Which of the month"
            placeholder={nth.length === 0 ? "each" : undefined}
            data={NTH_CHOICES}
            value={nth}
            onChange={setNth}
          />
        </div>
      )}
      <div className={styles.pair}>
        <TextInput label="Opens at" type="time" value={starts} onChange={(event) => setStarts(event.currentTarget.value.slice(0, 5))} />
        <NumberInput label="Lasts (h)" min={0.25} max={168} step={0.5} decimalScale={2} value={hours} onChange={setHours} />
      </div>
      <Autocomplete
        label="Time zone of the site"
        description="It opens at this wall time all year, also when clocks change."
        limit={40}
        data={ZONES}
        value={zone}
        onChange={setZone}
      />
      <p role="status" className={missing ? "dim small" : undefined}>
        {missing || `Opens ${recurrence(body as Required<WindowCreate>)}.`}
      </p>
      {make.error ? <Failed error={make.error} /> : null}
      <div className="row">
        <Button type="submit" variant="filled" disabled={missing !== ""} loading={make.isPending}>
          Make the window
        </Button>
        <Button onClick={close}>Back</Button>
      </div>
    </form>
  );
}
