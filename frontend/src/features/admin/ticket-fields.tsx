import { PasswordInput, SegmentedControl, Textarea, TextInput } from "@mantine/core";
import type { UseFormReturnType } from "@mantine/form";
import { useState } from "react";
import type { Values } from "./notice-values";
import styles from "./notices.module.css";
import { TICKET_FORMS } from "./ticket-form";

interface TicketFieldsProps {
  form: Pick<UseFormReturnType<Values>, "getInputProps" | "setValues">;
  /** What is entered is kept: an empty address keeps address, user name and password. */
  isKept?: boolean;
}

/** Where a ticket system is, how it is signed in to, what it is sent, and how its answer is read. */
export function TicketFields({ form, isKept = false }: TicketFieldsProps) {
  const [chosen, setChosen] = useState("servicenow");
  return (
    <>
      {isKept ? null : (
        <SegmentedControl
          aria-label="Ticket system"
          data={Object.entries(TICKET_FORMS).map(([value, { label }]) => ({ value, label }))}
          value={chosen}
          onChange={(value) => {
            setChosen(value);
            form.setValues(TICKET_FORMS[value]?.form ?? {});
          }}
        />
      )}
      <PasswordInput
        label="Address"
        description={
          isKept
            ? "Leave empty to keep address, user name and password; they are stored together."
            : "HTTPS only. New tickets are posted here. Stored encrypted, never shown again."
        }
        placeholder={TICKET_FORMS[chosen]?.placeholder}
        autoComplete="off"
        inputMode="url"
        visibilityToggleButtonProps={{ "aria-label": "Show the address" }}
        {...form.getInputProps("address")}
      />
      <div className={styles.pair}>
        <TextInput label="User name" description="Empty for a bearer token." autoComplete="off" {...form.getInputProps("account")} />
        <PasswordInput
          label="Password or token"
          description="Stored encrypted."
          autoComplete="new-password"
          {...form.getInputProps("password")}
        />
      </div>
      <Textarea
        label="Request body (JSON)"
        description="Placeholders: {{title}}, {{description}}, {{hosts}}, {{group}}, {{requested_by}}, {{url}}, {{id}}."
        autosize
        minRows={4}
        maxRows={16}
        spellCheck={false}
        styles={{ input: { fontFamily: "var(--mono)", fontSize: 13 } }}
        {...form.getInputProps("body")}
      />
      <TextInput
        label="Ticket number in the response"
        description="Keys of the JSON response, joined by dots."
        placeholder="result.number"
        {...form.getInputProps("number")}
      />
      <TextInput label="Link to a ticket (optional)" placeholder="https://tickets.example.com/{{number}}" {...form.getInputProps("link")} />
    </>
  );
}
