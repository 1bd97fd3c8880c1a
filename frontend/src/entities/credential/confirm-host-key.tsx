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
  const thing = host.channel === "ssh" ? "host key" : "certificate";
  return (
    <FormDialog
      title={`Verify the ${thing} of ${visible(host.name)}`}
      size="lg"
      opener={(open) => (
        <Button
          size="compact-sm"
          onClick={() => {
            // A host that was confirmed before is asked again; a new one was asked when it was added.
            if (host.shown_at === null && host.pins.length > 0) fetchKey.mutate();
            open();
          }}
          aria-label={`Verify the ${thing} of ${host.name}`}
        >
          Verify {thing}…
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
        Plumbline sends no credential until you verify the host. Compare this fingerprint with the one shown on the host's own console, not
        over the network.
      </p>
      <div className={styles.shown} role="status">
        <span className="dim">
          Fingerprint from {visible(host.address)}:{host.port}
        </span>
        {host.shown_pin ? <Verbatim of={host.shown_pin} /> : <span>{isAsking ? "Connecting…" : `None: ${visible(host.look_error)}`}</span>}
      </div>
      <div>
        <div className="dim small">{host.channel === "ssh" ? "In the host's shell:" : "In PowerShell on the host:"}</div>
        <div className={styles.line}>
          <pre className="code">{ON_CONSOLE[host.channel]}</pre>
          <CopyButton text={ON_CONSOLE[host.channel]} label="command" />
        </div>
      </div>
      {host.shown_pin ? (
        <Checkbox
          label="The console shows the same fingerprint"
          checked={isCompared}
          onChange={(event) => setCompared(event.currentTarget.checked)}
        />
      ) : (
        <TextInput
          label="Fingerprint from the console"
          description="Use this if the host can't be reached yet. It must present this fingerprint when it is."
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
          Verify {thing}
        </Button>
        <Button onClick={() => fetchKey.mutate()} loading={fetchKey.isPending}>
          Read fingerprint again
        </Button>
      </div>
    </div>
  );
}
