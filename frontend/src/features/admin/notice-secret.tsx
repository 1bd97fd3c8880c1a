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
    <FormBody form={form} label="Make the new secret">
      <Radio.Group label="The secret in use now" {...form.getInputProps("keeps")}>
        <div className={styles.form}>
          <Radio
            value="yes"
            mt={6}
            label="signs for 24 hours more"
            description="Messages carry both signatures, so that the receiver can change over without losing one."
          />
          <Radio
            value="no"
            label="ends at once"
            description="For one that leaked. The receiver refuses messages until it knows the new secret; they are tried again for some seven hours."
          />
        </div>
      </Radio.Group>
    </FormBody>
  );
}

export function SigningSecret({ secret, close }: { secret: string; close: () => void }) {
  return (
    <SecretOnce title="The secret that signs the messages, shown this once:" secret={secret} label="signing secret" close={close}>
      <span className="dim small">
        The receiver checks <code>webhook-signature</code> with it, after the Standard Webhooks. If it is lost, make a new one on the
        channel.
      </span>
    </SecretOnce>
  );
}
