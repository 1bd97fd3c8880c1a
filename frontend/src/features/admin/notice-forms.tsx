import { Checkbox, NumberInput, PasswordInput, SegmentedControl, Select, Textarea, TextInput } from "@mantine/core";
import type { UseFormReturnType } from "@mantine/form";
import { useMediaQuery } from "@mantine/hooks";
import { useGroupChoices } from "@/entities/group/queries";
import { visible } from "@/shared/lib/text";
import { FormBody } from "@/shared/ui/form-dialog";
import { useActForm } from "@/shared/ui/use-act-form";
import { hasNoKinds, WAY_LABELS } from "./notice-labels";
import { SigningSecret } from "./notice-secret";
import { mailOf, NOTHING, ticketFormOf, ticketLoginOf, type Values, type Way, wrong } from "./notice-values";
import styles from "./notices.module.css";
import { useCreateChannel, useUpdateChannel } from "./queries";
import { TicketFields } from "./ticket-fields";
import type { NoticeChannel, NoticeChannels, NoticeKind } from "./types";

const WAYS = Object.entries(WAY_LABELS).map(([value, label]) => ({ value, label }));

interface ChannelFormProps {
  kinds: NoticeChannels["kinds"];
  chats: string[];
  close: () => void;
}

/** Sets up a channel. A webhook's secret is shown once, at the end. */
export function ChannelForm({ kinds, chats, close }: ChannelFormProps) {
  const create = useCreateChannel();
  const groups = useGroupChoices();
  // Five words do not fit beside one another on a phone.
  const isPhone = useMediaQuery("(max-width: 560px)", undefined, { getInitialValueInEffect: false }) ?? false;
  const firstGroup = groups[0]?.value ?? "";
  const form = useActForm({
    initialValues: NOTHING,
    validate: (values) => wrong(values, true),
    send: (values) =>
      create.mutateAsync({
        group_id: Number(values.group || firstGroup),
        way: values.way,
        name: values.name.trim(),
        kinds: hasNoKinds(values.way) ? [] : (values.kinds as NoticeKind[]),
        address: values.way === "mail" ? "" : values.address.trim(),
        mail: values.way === "mail" ? mailOf(values) : null,
        ...(values.way === "ticket" ? { ticket_form: ticketFormOf(values), ticket_login: ticketLoginOf(values) } : {}),
      }),
    whenDone: (channel) => {
      if (!channel.signing_secret) close();
    },
  });
  const group = form.values.group || firstGroup;
  if (create.data?.signing_secret) return <SigningSecret secret={create.data.signing_secret} close={close} />;
  return (
    <FormBody form={form} label="Add channel" isDisabled={group === ""}>
      <SegmentedControl
        data={WAYS}
        aria-label="Type"
        orientation={isPhone ? "vertical" : "horizontal"}
        fullWidth
        {...form.getInputProps("way")}
      />
      <TextInput label="Name" placeholder="Night shift" data-autofocus {...form.getInputProps("name")} />
      <Select label="Group (including subgroups)" searchable data={groups} {...form.getInputProps("group")} value={group} />
      <Where form={form} chats={chats} />
      <Hears form={form} kinds={kinds} />
    </FormBody>
  );
}

interface PartProps {
  form: Pick<UseFormReturnType<Values>, "values" | "getInputProps" | "setValues">;
}

function Hears({ form, kinds }: PartProps & { kinds: NoticeChannels["kinds"] }) {
  if (hasNoKinds(form.values.way)) return null;
  return (
    <Checkbox.Group label="Notify when" {...form.getInputProps("kinds")}>
      <div className={styles.kinds}>
        {kinds.map((each) => (
          <Checkbox key={each.kind} value={each.kind} label={each.words} />
        ))}
      </div>
    </Checkbox.Group>
  );
}

const ADDRESS: Record<Exclude<Way, "mail" | "ticket">, { label: string; description: (chats: string[]) => string }> = {
  chat: { label: "Service URL", description: (chats) => `One of ${chats.join(", ")}. Stored encrypted, never shown again.` },
  webhook: { label: "Address", description: () => "HTTPS only. Messages are signed with a secret shown once after you add the channel." },
  heartbeat: {
    label: "Address to call",
    description: () => "Called every minute while Plumbline is healthy. Your monitoring service should alert when calls stop.",
  },
};

function Where({ form, chats, isKept = false }: PartProps & { chats: string[]; isKept?: boolean }) {
  const { way, security } = form.values;
  const keeps = isKept ? " Leave empty to keep the current value." : "";
  if (way === "ticket") return <TicketFields form={form} isKept={isKept} />;
  if (way !== "mail") {
    return (
      <PasswordInput
        label={ADDRESS[way].label}
        description={ADDRESS[way].description(chats) + keeps}
        autoComplete="off"
        inputMode="url"
        visibilityToggleButtonProps={{ "aria-label": "Show the address" }}
        {...form.getInputProps("address")}
      />
    );
  }
  return (
    <>
      <div className={styles.server}>
        <TextInput
          label="Mail server"
          placeholder="mail.example.com"
          autoComplete="off"
          description={keeps || undefined}
          {...form.getInputProps("server")}
        />
        <NumberInput label="Port" min={1} max={65535} allowDecimal={false} hideControls {...form.getInputProps("port")} />
      </div>
      <Select
        label="Encryption"
        allowDeselect={false}
        data={[
          { value: "starttls", label: "STARTTLS (usually port 587)" },
          { value: "ssl", label: "TLS (usually port 465)" },
          { value: "insecure", label: "None (only without a password)" },
        ]}
        {...form.getInputProps("security")}
      />
      {security === "insecure" ? null : (
        <div className={styles.pair}>
          <TextInput label="User name" description="Leave empty if not required." autoComplete="off" {...form.getInputProps("account")} />
          <PasswordInput
            label="Password"
            description="Stored encrypted, never shown again."
            autoComplete="new-password"
            {...form.getInputProps("password")}
          />
        </div>
      )}
      <TextInput label="From" placeholder="plumbline@example.com" inputMode="email" {...form.getInputProps("sender")} />
      <Textarea
        label="To"
        placeholder="storage@example.com, night@example.com"
        autosize
        minRows={1}
        maxRows={5}
        {...form.getInputProps("to")}
      />
    </>
  );
}

interface ChangeChannelProps extends ChannelFormProps {
  channel: NoticeChannel;
}

/** Changes a channel. What is kept sealed stays unless something is entered in its place. */
export function ChangeChannel({ channel, kinds, chats, close }: ChangeChannelProps) {
  const update = useUpdateChannel(channel.id);
  const form = useActForm({
    initialValues: { ...NOTHING, way: channel.way, name: channel.name, kinds: channel.kinds, ...channel.ticket_form },
    validate: (values) => wrong(values, false),
    send: (values) =>
      update.mutateAsync({
        name: values.name.trim(),
        ...(hasNoKinds(channel.way) ? {} : { kinds: values.kinds as NoticeKind[] }),
        ...(channel.way !== "mail" && values.address.trim() ? { address: values.address.trim() } : {}),
        ...(channel.way === "mail" && values.server.trim() ? { mail: mailOf(values) } : {}),
        ...(channel.way === "ticket" ? { ticket_form: ticketFormOf(values) } : {}),
        ...(channel.way === "ticket" && values.address.trim() ? { ticket_login: ticketLoginOf(values) } : {}),
      }),
    whenDone: close,
  });
  return (
    <FormBody form={form} label="Save">
      <TextInput label="Name" data-autofocus {...form.getInputProps("name")} />
      <Hears form={form} kinds={kinds} />
      {channel.way === "webhook" ? (
        <span className="dim small">
          Sends to {visible(channel.shown)}. The secret is bound to this address; add a new channel for another one.
        </span>
      ) : (
        <Where form={form} chats={chats} isKept />
      )}
    </FormBody>
  );
}
