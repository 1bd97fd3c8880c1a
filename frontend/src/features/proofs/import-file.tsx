import { Button, FileButton, TextInput } from "@mantine/core";
import { useState } from "react";
import { TOOLS } from "@/entities/proof/labels";
import { plural } from "@/shared/lib/format";
import { visible } from "@/shared/lib/text";
import { Callout } from "@/shared/ui/callout";
import { Failed } from "@/shared/ui/query-panel";
import { HostChoice } from "./host-choice";
import styles from "./proofs.module.css";
import { useImport } from "./queries";

interface ImportFileProps {
  host: string | undefined;
  setHost: (host: string | undefined) => void;
}

/** Takes in what a benchmark tool wrote: by drag and drop or by a button. A file is imported whole or not at all. */
export function ImportFile({ host, setHost }: ImportFileProps) {
  const upload = useImport();
  const [parameters, setParameters] = useState<File | undefined>();
  const [time, setTime] = useState("");
  const [isOver, setOver] = useState(false);
  const send = (file: File | undefined | null) => {
    if (!file || !host || upload.isPending) return;
    upload.mutate({ hostId: host, file, parameters, measuredAt: time ? new Date(time).toISOString() : null });
  };
  return (
    <section className="section" aria-label="Import results">
      <h2>Import results</h2>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: dropping is a shorter way; the button inside does the same by keyboard */}
      <div
        className={styles.drop}
        data-over={isOver || undefined}
        onDragOver={(event) => {
          event.preventDefault();
          setOver(true);
        }}
        onDragLeave={() => setOver(false)}
        onDrop={(event) => {
          event.preventDefault();
          setOver(false);
          send(event.dataTransfer.files[0]);
        }}
      >
        <p>
          Choose the host, then drop the output of Vdbench, DiskSpd (text or XML), NTttcp (text or XML) or Iometer (CSV) here. A file may
          hold several runs. If one of them did not finish, nothing is imported.
        </p>
        <div className={styles.fields}>
          <HostChoice label="Host" host={host} setHost={setHost} />
          <TextInput
            type="datetime-local"
            size="xs"
            label="Start of the first run (optional)"
            description="Needed unless the file gives it in UTC. It finds the settings of that time."
            value={time}
            onChange={(event) => setTime(event.currentTarget.value)}
          />
        </div>
        <div className="row">
          <FileButton onChange={send} inputProps={{ "aria-label": "Results file" }}>
            {(props) => (
              <Button size="sm" variant="filled" loading={upload.isPending} disabled={!host} {...props}>
                Import file
              </Button>
            )}
          </FileButton>
          <FileButton onChange={(file) => setParameters(file ?? undefined)} inputProps={{ "aria-label": "Parameter file" }}>
            {(props) => (
              <Button size="sm" {...props}>
                Add parameter file
              </Button>
            )}
          </FileButton>
          <span className="dim small">
            {parameters
              ? `With ${visible(parameters.name)}`
              : "Vdbench only: its results don't show whether requests were random or sequential."}
            {host ? "" : " Choose a host first."}
          </span>
        </div>
        {upload.error ? <Failed error={upload.error} /> : null}
        {upload.data ? (
          <Callout status="pass">
            {plural(upload.data.runs.length, "run")} of {TOOLS[upload.data.tool as keyof typeof TOOLS]} imported.
          </Callout>
        ) : null}
      </div>
    </section>
  );
}
