import { NumberInput, Select, Switch, TextInput } from "@mantine/core";
import { useState } from "react";
import { FormBody } from "@/shared/ui/form-dialog";
import { useZone } from "@/shared/ui/time-ago";
import { useAct } from "@/shared/ui/use-act";
import { WEEKDAYS } from "./labels";
import { MailFields, type MailValues, mailOf, missingOfMail, NO_MAIL } from "./mail-fields";
import { type Scope, ScopeFields, useChosenGroup } from "./scope-fields";
import type { Format, Schedule, ScheduleInput, Template } from "./types";

const HOURS = Array.from({ length: 24 }, (_, hour) => ({ value: String(hour), label: `${String(hour).padStart(2, "0")}:00` }));

interface ScheduleFormProps {
  /** The schedule to change; without one, a new one is made. */
  schedule?: Schedule;
  send: (body: ScheduleInput) => Promise<unknown>;
  close: () => void;
}

/** What is made, how often, and to whom it is mailed. */
export function ScheduleForm({ schedule, send, close }: ScheduleFormProps) {
  const zone = useZone();
  const [name, setName] = useState(schedule?.name ?? "Quarterly compliance");
  const [scope, setScope] = useState<Scope>({
    template: (schedule?.template ?? "executive") as Template,
    group: schedule ? String(schedule.group_id) : "",
    view: "",
  });
  const [every, setEvery] = useState<Schedule["every"]>(schedule?.every ?? "quarter");
  const [day, setDay] = useState(schedule?.on_day ?? 1);
  const [hour, setHour] = useState(schedule?.hour ?? 7);
  const [isEnabled, setEnabled] = useState(schedule?.is_enabled ?? true);
  const [mail, setMail] = useState<MailValues>(
    schedule?.channel_id
      ? {
          channel: String(schedule.channel_id),
          recipients: schedule.recipients,
          form: schedule.form,
          formats: (schedule.formats as Format[]) ?? ["pdf"],
        }
      : NO_MAIL,
  );
  const group = useChosenGroup(scope.group);
  const timeZone = schedule?.time_zone ?? zone;
  const act = useAct(
    () =>
      send({
        name,
        template: scope.template,
        group_id: group ?? 1,
        view_id: scope.view === "" ? null : Number(scope.view),
        every,
        on_day: day,
        hour,
        time_zone: timeZone,
        is_enabled: isEnabled,
        mail: mail.channel === "" ? null : mailOf(mail),
      }),
    () => close(),
  );
  const missing =
    name.trim() === "" ? "Enter a name." : group === undefined ? "Choose a group." : mail.channel === "" ? "" : missingOfMail(mail);
  return (
    <FormBody
      form={{
        isBusy: act.isBusy,
        error: act.error,
        submit: (event) => {
          event.preventDefault();
          act.run(undefined);
        },
      }}
      label={schedule ? "Save schedule" : "Create schedule"}
      missing={missing}
    >
      <TextInput label="Name" withAsterisk maxLength={120} value={name} onChange={(event) => setName(event.currentTarget.value)} />
      <ScopeFields {...scope} change={(patch) => setScope({ ...scope, ...patch })} />
      {schedule?.view_name && scope.view === "" ? <p className="dim small">Now about the saved view {schedule.view_name}.</p> : null}
      <Select
        label="Every"
        description={`Each report is about the whole ${every} before.`}
        allowDeselect={false}
        data={[
          { value: "week", label: "Week" },
          { value: "month", label: "Month" },
          { value: "quarter", label: "Quarter" },
        ]}
        value={every}
        onChange={(value) => {
          setEvery((value ?? "quarter") as Schedule["every"]);
          setDay(1);
        }}
      />
      {every === "week" ? (
        <Select label="On" allowDeselect={false} data={WEEKDAYS} value={String(day)} onChange={(value) => setDay(Number(value ?? 1))} />
      ) : (
        <NumberInput
          label={every === "month" ? "Day of the month" : "Day of the quarter's first month"}
          description="In a shorter month its last day."
          min={1}
          max={31}
          value={day}
          onChange={(value) => setDay(Number(value) || 1)}
        />
      )}
      <Select
        label={`At (${timeZone})`}
        allowDeselect={false}
        searchable
        data={HOURS}
        value={String(hour)}
        onChange={(value) => setHour(Number(value ?? 7))}
      />
      <MailFields group={group} values={mail} change={(patch) => setMail({ ...mail, ...patch })} isOptional />
      <Switch label="Enabled" checked={isEnabled} onChange={(event) => setEnabled(event.currentTarget.checked)} />
    </FormBody>
  );
}
