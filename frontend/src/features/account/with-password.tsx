import { PasswordInput } from "@mantine/core";
import { FormBody } from "@/shared/ui/form-dialog";
import { useActForm } from "@/shared/ui/use-act-form";

interface WithPasswordProps<Made> {
  /** The words on the button. */
  label: string;
  /** What the act means. */
  description: string;
  send: (password: string) => Promise<Made>;
  whenDone: (made: Made) => void;
}

/** An act on one's own account that asks for the password first. */
export function WithPassword<Made>({ label, description, send, whenDone }: WithPasswordProps<Made>) {
  const form = useActForm({
    initialValues: { password: "" },
    validate: { password: (text) => (text ? null : "Enter your password") },
    send: ({ password }) => send(password),
    whenDone,
  });
  return (
    <FormBody form={form} label={label}>
      <p>{description}</p>
      <PasswordInput label="Your password" autoComplete="current-password" data-autofocus {...form.getInputProps("password")} />
    </FormBody>
  );
}
