import { Button, Checkbox, TextInput } from "@mantine/core";
import { useState } from "react";
import { visible } from "@/shared/lib/text";
import { CopyButton } from "@/shared/ui/copy-button";
import { FormDialog } from "@/shared/ui/form-dialog";
import { Failed } from "@/shared/ui/query-panel";
import { Verbatim } from "@/shared/ui/verbatim";
import styles from "./confirm-host-key.module.css";
import { useConfirmHostKey, useFetchHostKey } from "./queries";
import type { CollectedHost } from "./types";

const ON_CONSOLE = {
  ssh: "for k in /etc/ssh/ssh_host_*_key.pub; do /usr/lib/vmware/openssh/bin/ssh-keygen -lf $k; done",
  winrm:
    "Get-ChildItem Cert:\\LocalMachine\\My | ForEach-Object { $_.Subject; [BitConverter]::ToString([Security.Cryptography.SHA256]::Create().ComputeHash($_.RawData)) }",
};

/** A person compares what the host shows with what its own console says; until then no credential is sent to it. */
export function ConfirmHostKey({ host }: { host: CollectedHost }) {
  const fetchKey = useFetchHostKey(host.host_id);
  const thing = host.channel === "ssh" ? "key" : "certificate";
  return (
    <FormDialog
      title={`The ${thing} of ${visible(host.name)}`}
      size="lg"
      opener={(open) => (
        <Button
          size="compact-sm"
          onClick={() => {
            // A host that was confirmed before is asked again; a new one was asked when it was added.
            if (host.shown_at === null && host.pins.length > 0) fetchKey.mutate();
            open();
          }}
          aria-label={`Confirm the ${thing} of ${host.name}`}
        >
          Confirm the {thing} …
        </Button>
      )}
    >
      {(close) => <Compare host={host} thing={thing} close={close} />}
    </FormDialog>
  );
}

function Compare({ host, thing, close }: { host: CollectedHost; thing: string; close: () => void }) {
  const fetchKey = useFetchHostKey(host.host_id);
  const confirm = useConfirmHostKey(host.host_id);
  const [isCompared, setCompared] = useState(false);
  const [typed, setTyped] = useState("");
  const fingerprint = host.shown_pin || typed.trim();
  const isAsking = fetchKey.isPending || (host.shown_at === null && host.look_error === "");
  return (
    <div className={styles.compare}>
      <p>
        Plumbline sends its credential to no host before a person has made sure that it is the right one. Compare the fingerprint below with
        the one that the host itself prints at its own console, not over the network.
      </p>
      <div className={styles.shown} role="status">
        <span className="dim">
          {visible(host.address)}:{host.port} shows
        </span>
        {host.shown_pin ? (
          <Verbatim of={host.shown_pin} />
        ) : (
          <span>{isAsking ? "it is being asked …" : `nothing: ${visible(host.look_error)}`}</span>
        )}
      </div>
      <div>
        <div className="dim small">{host.channel === "ssh" ? "In the host's own shell:" : "In PowerShell on the host:"}</div>
        <div className={styles.line}>
          <pre className="code">{ON_CONSOLE[host.channel]}</pre>
          <CopyButton text={ON_CONSOLE[host.channel]} label="command" />
        </div>
      </div>
      {host.shown_pin ? (
        <Checkbox
          label="The host's own console prints the same fingerprint."
          checked={isCompared}
          onChange={(event) => setCompared(event.currentTarget.checked)}
        />
      ) : (
        <TextInput
          label="Fingerprint as the host's console prints it"
          description="Good before the host was reached; it has to show this one later."
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
        />
      )}
      {fetchKey.error ? <Failed error={fetchKey.error} /> : null}
      {confirm.error ? <Failed error={confirm.error} /> : null}
      <div className="row">
        <Button
          variant="filled"
          disabled={fingerprint === "" || (host.shown_pin !== "" && !isCompared)}
          loading={confirm.isPending}
          onClick={() => confirm.mutate(fingerprint, { onSuccess: close })}
        >
          Confirm the {thing}
        </Button>
        <Button onClick={() => fetchKey.mutate()} loading={fetchKey.isPending}>
          Ask the host again
        </Button>
      </div>
    </div>
  );
}
