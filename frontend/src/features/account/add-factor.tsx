import { TextInput } from "@mantine/core";
import { useState } from "react";
import { makePasskey } from "@/entities/person/passkeys";
import { CopyableText } from "@/shared/ui/copy-button";
import { FormBody } from "@/shared/ui/form-dialog";
import { useActForm } from "@/shared/ui/use-act-form";
import styles from "./account.module.css";
import { type BegunFactor, useAddFactor, useBeginFactor } from "./queries";
import { NewRecoveryCodes } from "./recovery-codes";
import { WithPassword } from "./with-password";

interface AddFactorProps {
  kind: "authenticator" | "passkey";
  close: () => void;
}

/** Adds a second factor: first the password, then the app's first code or the browser's passkey, then the recovery codes. */
export function AddFactor({ kind, close }: AddFactorProps) {
  const begin = useBeginFactor();
  const [begun, setBegun] = useState<BegunFactor | null>(null);
  const [codes, setCodes] = useState<string[]>([]);
  if (codes.length > 0) return <NewRecoveryCodes codes={codes} close={close} />;
  if (begun === null) {
    return (
      <WithPassword
        label="Continue"
        description={
          kind === "authenticator"
            ? "An app on your phone shows a code for each sign-in."
            : "A security key, or the fingerprint, face or PIN of a device, replaces the code."
        }
        send={(password) => begin.mutateAsync({ kind, password })}
        whenDone={setBegun}
      />
    );
  }
  const done = (made: { recovery_codes: string[] }) => (made.recovery_codes.length > 0 ? setCodes(made.recovery_codes) : close());
  return begun.authenticator ? (
    <AppForm step={begun.step} setup={begun.authenticator} done={done} />
  ) : (
    <PasskeyForm begun={begun} done={done} />
  );
}

type Done = (made: { recovery_codes: string[] }) => void;

interface AppFormProps {
  step: string;
  setup: NonNullable<BegunFactor["authenticator"]>;
  done: Done;
}

function AppForm({ step, setup, done }: AppFormProps) {
  const add = useAddFactor();
  const form = useActForm({
    initialValues: { name: "Phone", code: "" },
    validate: {
      name: (text) => (text.trim() ? null : "Enter a name"),
      code: (text) => (/^\s*(\d\s*){6}$/.test(text) ? null : "Enter the six digits that the app shows"),
    },
    send: ({ name, code }) => add.mutateAsync({ step, name, code }),
    whenDone: done,
  });
  return (
    <FormBody form={form} label="Add app" note="The first second factor ends your other sessions.">
      <p>Scan the code with your authenticator app.</p>
      <img className={styles.qr} src={setup.qr_code} alt="QR code for the authenticator app" />
      <p className={`dim small ${styles.secret}`}>
        Or enter this key in the app: <CopyableText text={setup.secret} label="key" />
      </p>
      <TextInput
        label="Code"
        description="Six digits that the app shows now."
        inputMode="numeric"
        autoComplete="one-time-code"
        data-autofocus
        {...form.getInputProps("code")}
      />
      <TextInput label="Name" description="To recognise it in the list." autoComplete="off" {...form.getInputProps("name")} />
    </FormBody>
  );
}

function PasskeyForm({ begun, done }: { begun: BegunFactor; done: Done }) {
  const add = useAddFactor();
  const form = useActForm({
    initialValues: { name: "Passkey" },
    validate: { name: (text) => (text.trim() ? null : "Enter a name") },
    send: async ({ name }) => add.mutateAsync({ step: begun.step, name, passkey: await makePasskey(begun.passkey ?? {}) }),
    whenDone: done,
  });
  return (
    <FormBody
      form={form}
      label="Create passkey"
      note="Your browser prompts for the security key or device. Your other sessions end with the first second factor."
    >
      <TextInput
        label="Name"
        description="To recognise it in the list."
        autoComplete="off"
        data-autofocus
        {...form.getInputProps("name")}
      />
    </FormBody>
  );
}
