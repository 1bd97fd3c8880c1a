import { Button, type ButtonProps, Select, Textarea, TextInput } from "@mantine/core";
import { useEffect } from "react";
import { plural } from "@/shared/lib/format";
import { isSeen, visible } from "@/shared/lib/text";
import { FormBody, FormDialog } from "@/shared/ui/form-dialog";
import { Empty, Failed, LoadingSkeleton } from "@/shared/ui/query-panel";
import { useActForm } from "@/shared/ui/use-act-form";
import { useCreateTicket, usePreviewTicket } from "./queries";
import type { TicketAbout } from "./types";

interface CreateTicketProps {
  about: TicketAbout;
  isDisabled?: boolean;
  size?: ButtonProps["size"];
}

/** Sends a ticket to the ticket system of the group; shows first what is sent. */
export function CreateTicket({ about, isDisabled = false, size }: CreateTicketProps) {
  return (
    <FormDialog
      title="Create ticket"
      size="lg"
      opener={(open) => (
        <Button size={size} onClick={open} disabled={isDisabled}>
          Create ticket…
        </Button>
      )}
    >
      {(close) => <TicketDraft about={about} close={close} />}
    </FormDialog>
  );
}

type Preview = NonNullable<ReturnType<typeof usePreviewTicket>["data"]>;

/** What the dialog holds: the text to be sent, or who adds a ticket system. */
export function TicketDraft({ about, close }: { about: TicketAbout; close: () => void }) {
  const preview = usePreviewTicket();
  const { mutate } = preview;
  // Asked once for each time the dialog opens: what it is about does not change while it is open.
  // biome-ignore lint/correctness/useExhaustiveDependencies: see above
  useEffect(() => mutate(about), [mutate]);
  if (preview.error) return <Failed error={preview.error} />;
  if (!preview.data) return <LoadingSkeleton height={260} lines={6} />;
  if (preview.data.systems.length === 0) {
    return (
      <Empty title="No ticket system for these hosts">
        An admin adds one in Admin, Notifications, for a group that {preview.data.hosts.length === 1 ? "the host" : "all of the hosts"}{" "}
        belong{preview.data.hosts.length === 1 ? "s" : ""} to.
      </Empty>
    );
  }
  return <TicketForm about={about} preview={preview.data} close={close} />;
}

function TicketForm({ about, preview, close }: { about: TicketAbout; preview: Preview; close: () => void }) {
  const create = useCreateTicket();
  const form = useActForm({
    initialValues: { system: String(preview.systems[0]?.id ?? ""), title: preview.title.slice(0, 250), description: preview.description },
    validate: { title: (title) => (isSeen(title) && title.trim().length >= 3 ? null : "Enter a title") },
    send: ({ system, title, description }) =>
      create.mutateAsync({ ...about, system_id: Number(system), title: title.trim(), description: description.trim() }),
    whenDone: close,
  });
  return (
    <FormBody form={form} label="Create ticket" note="Plumbline can't close or delete a ticket once it is created.">
      <Select
        label="Ticket system"
        allowDeselect={false}
        data={preview.systems.map((one) => ({ value: String(one.id), label: visible(one.name) }))}
        {...form.getInputProps("system")}
      />
      <TextInput label="Title" maxLength={250} data-autofocus {...form.getInputProps("title")} />
      <Textarea
        label="Description"
        description={`About ${plural(preview.hosts.length, "host")}: ${hostsText(preview.hosts)}. The link to this page is added below it.`}
        autosize
        minRows={4}
        maxRows={16}
        maxLength={10_000}
        {...form.getInputProps("description")}
      />
    </FormBody>
  );
}

const MOST_NAMES = 5;

function hostsText(hosts: Preview["hosts"]): string {
  const names = hosts.slice(0, MOST_NAMES).map((host) => visible(host.name));
  return hosts.length > MOST_NAMES ? `${names.join(", ")} and ${hosts.length - MOST_NAMES} more` : names.join(", ");
}
