import { Button, Checkbox, NumberInput, Select, TextInput } from "@mantine/core";
import { useState } from "react";
import { useGroupChoices } from "@/entities/group/queries";
import { isSeen, visible } from "@/shared/lib/text";
import { CopyButton } from "@/shared/ui/copy-button";
import { FormBody } from "@/shared/ui/form-dialog";
import { Failed } from "@/shared/ui/query-panel";
import { useActForm } from "@/shared/ui/use-act-form";
import { Verbatim } from "@/shared/ui/verbatim";
import styles from "./collection.module.css";
import { address, useCredentialChoices } from "./host-forms";
import { useConfirmVCenter, useCreateVCenter, useFetchVCenterCertificate } from "./queries";
import type { VCenter } from "./types";

const ON_CONSOLE =
  "/usr/lib/vmware-vmafd/bin/vecs-cli entry getcert --store MACHINE_SSL_CERT --alias __MACHINE_CERT | openssl x509 -noout -fingerprint -sha256";

export function NewVCenter({ close }: { close: () => void }) {
  const create = useCreateVCenter();
  const groups = useGroupChoices();
  const choices = useCredentialChoices("vcenter");
  const firstGroup = groups[0]?.value ?? "";
  const firstCredential = choices[0]?.value ?? "";
  const form = useActForm({
    initialValues: { name: "", address: "", port: 443, credential: "", group: "" },
    validate: { name: (text) => (isSeen(text) ? null : "Enter a name"), address },
    send: (values) =>
      create.mutateAsync({
        name: values.name.trim(),
        address: values.address.trim(),
        port: values.port,
        credential_id: Number(values.credential || firstCredential),
        group_id: Number(values.group || firstGroup),
      }),
    whenDone: close,
  });
  const credential = form.values.credential || firstCredential;
  const group = form.values.group || firstGroup;
  return (
    <FormBody form={form} label="Add vCenter" isDisabled={credential === "" || group === ""}>
      <TextInput label="Name" placeholder="vc-berlin" autoComplete="off" data-autofocus {...form.getInputProps("name")} />
      <TextInput label="Address" placeholder="vcenter.example.net" autoComplete="off" {...form.getInputProps("address")} />
      <NumberInput label="Port" min={1} max={65535} {...form.getInputProps("port")} />
      <Select
        label="Credential"
        data={choices}
        {...form.getInputProps("credential")}
        value={credential || null}
        description={choices.length === 0 ? "No vCenter credential. Add one below; the Read-only role is sufficient." : undefined}
        allowDeselect={false}
      />
      <Select label="Group (including subgroups)" searchable data={groups} {...form.getInputProps("group")} value={group} />
      <p className="dim small">
        Read about every 15 minutes. Plumbline never makes changes in vCenter. Its clusters become failure domains.
      </p>
    </FormBody>
  );
}

/** A person compares the certificate that it shows with what its own console says; until then no credential is sent to it. */
export function ConfirmVCenter({ vcenter, close }: { vcenter: VCenter; close: () => void }) {
  const fetchCertificate = useFetchVCenterCertificate(vcenter.id);
  const confirm = useConfirmVCenter(vcenter.id);
  const [isCompared, setCompared] = useState(false);
  const isAsking = fetchCertificate.isPending || vcenter.shown_at === null;
  return (
    <div className={styles.form}>
      <p>
        Compare this fingerprint with the one shown in the vCenter appliance shell. The credential is then sent only to this certificate.
      </p>
      <div className={styles.shown} role="status">
        <span className="dim">
          {visible(vcenter.address)}:{vcenter.port} shows
        </span>
        {vcenter.shown_pin ? (
          <Verbatim of={vcenter.shown_pin} />
        ) : (
          <span>{isAsking ? "contacting…" : `nothing: ${visible(vcenter.look_error)}`}</span>
        )}
      </div>
      <div>
        <div className="dim small">In the appliance's shell:</div>
        <div className={styles.command}>
          <pre className="code">{ON_CONSOLE}</pre>
          <CopyButton text={ON_CONSOLE} label="command" />
        </div>
      </div>
      <Checkbox
        label="The console shows the same fingerprint"
        checked={isCompared}
        disabled={vcenter.shown_pin === ""}
        onChange={(event) => setCompared(event.currentTarget.checked)}
      />
      {fetchCertificate.error ? <Failed error={fetchCertificate.error} /> : null}
      {confirm.error ? <Failed error={confirm.error} /> : null}
      <div className="row">
        <Button
          variant="filled"
          disabled={!isCompared || vcenter.shown_pin === ""}
          loading={confirm.isPending}
          onClick={() => confirm.mutate(vcenter.shown_pin, { onSuccess: close })}
        >
          Verify certificate
        </Button>
        <Button onClick={() => fetchCertificate.mutate()} loading={fetchCertificate.isPending}>
          Read fingerprint again
        </Button>
      </div>
    </div>
  );
}
