import { Radio } from "@mantine/core";
import { FormBody } from "@/shared/ui/form-dialog";
import { SecretOnce } from "@/shared/ui/secret-once";
import { useActForm } from "@/shared/ui/use-act-form";
import styles from "./notices.module.css";
import { useRotateSecret } from "./queries";
import type { NoticeChannel } from "./types";

/** Makes a new secret for a webhook and shows it this once; says before what becomes of the one in use. */
export function NewSecret({ channel, close }: { channel: NoticeChannel; close: () => void }) {
  const rotate = useRotateSecret(channel.id);
  const form = useActForm({ initialValues: { keeps: "yes" }, send: ({ keeps }) => rotate.mutateAsync(keeps === "yes") });
  if (rotate.data) return <SigningSecret secret={rotate.data.signing_secret} close={close} />;
  return (
    <FormBody form={form} label="Rotate secret">
      <Radio.Group label="Current secret" {...form.getInputProps("keeps")}>
        <div className={styles.form}>
          <Radio
            value="yes"
            mt={6}
            label="Keep for 24 hours"
            description="Messages carry both signatures, so you can switch without losing any."
          />
          <Radio
            value="no"
            label="Revoke now"
            description="Use if the secret leaked. Messages fail until the receiver has the new secret; they are retried for about 7 hours."
          />
        </div>
      </Radio.Group>
    </FormBody>
  );
}

export function SigningSecret({ secret, close }: { secret: string; close: () => void }) {
  return (
    <SecretOnce title="Signing secret (shown only once):" secret={secret} label="signing secret" close={close}>
      <span className="dim small">
        Use it to verify <code>webhook-signature</code> (Standard Webhooks). If you lose it, rotate the secret.
      </span>
    </SecretOnce>
  );
}
