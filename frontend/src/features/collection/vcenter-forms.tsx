import { Button, Checkbox, NumberInput, Select, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { useGroupChoices } from "@/entities/person/queries";
import { api } from "@/shared/api/client";
import type { VCenter } from "@/shared/api/types";
import { isSeen, visible } from "@/shared/lib/text";
import { CopyAction } from "@/shared/ui/copy-button";
import { Failed } from "@/shared/ui/query-panel";
import { Said } from "@/shared/ui/verbatim";
import styles from "./collection.module.css";
import { address, useCredentialChoices } from "./host-forms";
import { useRefresh } from "./queries";

const ON_CONSOLE =
  "/usr/lib/vmware-vmafd/bin/vecs-cli entry getcert --store MACHINE_SSL_CERT --alias __MACHINE_CERT | openssl x509 -noout -fingerprint -sha256";

export function NewVCenter({ close }: { close: () => void }) {
  const refresh = useRefresh();
  const groups = useGroupChoices();
  const choices = useCredentialChoices("vcenter");
  const form = useForm({
    initialValues: { name: "", address: "", port: 443, credential: "", group: "" },
    validate: { name: (text) => (isSeen(text) ? null : "Say what it is called"), address },
  });
  const credential = form.values.credential || choices[0]?.value || "";
  const group = form.values.group || groups[0]?.value || "";
  const add = useMutation({
    mutationFn: (values: typeof form.values) =>
      api.POST("/api/v1/collection/vcenters", {
        body: {
          name: values.name.trim(),
          address: values.address.trim(),
          port: values.port,
          credential_id: Number(credential),
          group_id: Number(group),
        },
      }),
    onSuccess: async () => {
      await refresh();
      close();
    },
  });
  return (
    <form className={styles.form} onSubmit={form.onSubmit((values) => add.mutate(values))}>
      <TextInput label="Name" placeholder="vc-berlin" autoComplete="off" data-autofocus {...form.getInputProps("name")} />
      <TextInput label="Address" placeholder="vcenter.example.net" autoComplete="off" {...form.getInputProps("address")} />
      <NumberInput label="Port" min={1} max={65535} {...form.getInputProps("port")} />
      <Select
        label="Credential"
        data={choices}
        value={credential || null}
        onChange={(chosen) => form.setFieldValue("credential", chosen ?? "")}
        description={
          choices.length === 0
            ? "There is none of the kind “vCenter account” yet: add one below. The role Read-only there is enough."
            : undefined
        }
        allowDeselect={false}
      />
      <Select
        label="May speak of hosts of the group and all below it"
        searchable
        data={groups}
        value={group}
        onChange={(chosen) => form.setFieldValue("group", chosen ?? "")}
      />
      <p className="dim small">
        It is read about every 15 minutes and told to do nothing. The clusters that it tells become failure domains of its hosts.
      </p>
      {add.error ? <Failed error={add.error} /> : null}
      <Button type="submit" variant="filled" loading={add.isPending} disabled={credential === "" || group === ""}>
        Add the vCenter
      </Button>
    </form>
  );
}

/** A person compares the certificate that it shows with what its own console says; until then no credential is sent to it. */
export function ConfirmVCenter({ vcenter, close }: { vcenter: VCenter; close: () => void }) {
  const refresh = useRefresh();
  const [isCompared, setCompared] = useState(false);
  const path = { params: { path: { vcenter_id: vcenter.id } } };
  const look = useMutation({ mutationFn: () => api.POST("/api/v1/collection/vcenters/{vcenter_id}/look", path), onSuccess: refresh });
  const confirm = useMutation({
    mutationFn: () => api.POST("/api/v1/collection/vcenters/{vcenter_id}/confirm", { ...path, body: { fingerprint: vcenter.shown_pin } }),
    onSuccess: async () => {
      await refresh();
      close();
    },
  });
  const isAsking = look.isPending || vcenter.shown_at === null;
  return (
    <div className={styles.form}>
      <p>
        Compare the fingerprint below with the one that the vCenter's own shell prints. From then on the credential is sent to this
        certificate alone.
      </p>
      <div className={styles.shown} role="status">
        <span className="dim">
          {visible(vcenter.address)}:{vcenter.port} shows
        </span>
        {vcenter.shown_pin ? (
          <Said of={vcenter.shown_pin} />
        ) : (
          <span>{isAsking ? "it is being asked …" : `nothing: ${visible(vcenter.look_error)}`}</span>
        )}
      </div>
      <div>
        <div className="dim small">In the appliance's shell:</div>
        <div className={styles.command}>
          <pre className="code">{ON_CONSOLE}</pre>
          <CopyAction text={ON_CONSOLE} label="command" />
        </div>
      </div>
      <Checkbox
        label="The vCenter's own console prints the same fingerprint."
        checked={isCompared}
        disabled={vcenter.shown_pin === ""}
        onChange={(event) => setCompared(event.currentTarget.checked)}
      />
      {look.error ? <Failed error={look.error} /> : null}
      {confirm.error ? <Failed error={confirm.error} /> : null}
      <div className="row">
        <Button
          variant="filled"
          disabled={!isCompared || vcenter.shown_pin === ""}
          loading={confirm.isPending}
          onClick={() => confirm.mutate()}
        >
          Confirm the certificate
        </Button>
        <Button onClick={() => look.mutate()} loading={look.isPending}>
          Ask it again
        </Button>
      </div>
    </div>
  );
}

export function RemoveVCenter({ vcenter, close }: { vcenter: VCenter; close: () => void }) {
  const refresh = useRefresh();
  const remove = useMutation({
    mutationFn: () => api.DELETE("/api/v1/collection/vcenters/{vcenter_id}", { params: { path: { vcenter_id: vcenter.id } } }),
    onSuccess: async () => {
      await refresh();
      close();
    },
  });
  return (
    <div className={styles.form}>
      <p>
        What it told is forgotten, and so are the clusters that came from it: hosts whose cluster nobody knows are changed one at a time in
        their group. Nothing changes in the vCenter.
      </p>
      {remove.error ? <Failed error={remove.error} /> : null}
      <Button variant="filled" loading={remove.isPending} onClick={() => remove.mutate()}>
        Forget the vCenter
      </Button>
    </div>
  );
}
