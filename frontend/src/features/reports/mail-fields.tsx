import { Checkbox, Select, TagsInput } from "@mantine/core";
import { FORMAT_ORDER, FORMATS } from "./labels";
import { useMailChannels } from "./queries";
import type { Format, MailCreate } from "./types";

export interface MailValues {
  /** The id of a mail channel; empty where none is chosen. */
  channel: string;
  recipients: string[];
  form: NonNullable<MailCreate["form"]>;
  formats: Format[];
}

export const NO_MAIL: MailValues = { channel: "", recipients: [], form: "attachment", formats: ["pdf"] };

interface MailFieldsProps {
  group: number | undefined;
  values: MailValues;
  change: (patch: Partial<MailValues>) => void;
  /** The channel may be left out. */
  isOptional?: boolean;
}

/** By which channel, to whom, and as what a report is mailed. */
export function MailFields({ group, values, change, isOptional = false }: MailFieldsProps) {
  const channels = useMailChannels(group);
  const chosen = channels.data?.find((channel) => String(channel.id) === values.channel);
  const none = isOptional ? [{ value: "", label: "Don't mail, only create the report" }] : [];
  return (
    <>
      <Select
        label="Mail channel"
        description="The mail server and sender that an admin set up under Admin, Notifications."
        placeholder={channels.data?.length === 0 ? "No mail channel for this group" : "Choose a channel"}
        allowDeselect={false}
        error={channels.error ? "The channels could not be read." : null}
        data={[...none, ...(channels.data ?? []).map((channel) => ({ value: String(channel.id), label: channel.name }))]}
        value={values.channel || (isOptional ? "" : null)}
        onChange={(value) => change({ channel: value ?? "" })}
      />
      {values.channel === "" ? null : (
        <>
          <TagsInput
            label="Recipients"
            description={chosen ? `Addresses of ${chosen.domains.join(", ")}. Enter adds one.` : "Enter adds an address."}
            placeholder="name@example.com"
            acceptValueOnBlur
            value={values.recipients}
            onChange={(recipients) => change({ recipients })}
          />
          <Select
            label="Sent as"
            allowDeselect={false}
            data={[
              { value: "attachment", label: "Attachment" },
              { value: "link", label: "Link to the report" },
            ]}
            value={values.form}
            onChange={(form) => change({ form: form === "link" ? "link" : "attachment" })}
          />
          {values.form === "attachment" ? (
            <Checkbox.Group label="Files" value={values.formats} onChange={(formats) => change({ formats: formats as Format[] })}>
              {FORMAT_ORDER.map((format) => (
                <Checkbox key={format} value={format} label={FORMATS[format]} mt={6} />
              ))}
            </Checkbox.Group>
          ) : null}
        </>
      )}
    </>
  );
}

/** What is missing before it can be sent; empty where nothing is. */
export function missingOfMail(values: MailValues): string {
  if (values.channel === "") return "Choose a mail channel.";
  if (values.recipients.length === 0) return "Enter at least one recipient.";
  if (values.form === "attachment" && values.formats.length === 0) return "Choose at least one file.";
  return "";
}

export const mailOf = (values: MailValues): MailCreate => ({
  channel_id: Number(values.channel),
  recipients: values.recipients,
  form: values.form,
  formats: values.formats,
});
