import { Button, Checkbox, FileButton, Select, Textarea } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { api } from "@/shared/api/client";
import { plural } from "@/shared/lib/format";
import { visible } from "@/shared/lib/text";
import { type Column, DataTable } from "@/shared/ui/data-table/data-table";
import { Failed } from "@/shared/ui/query-panel";
import { type Status, StatusLabel } from "@/shared/ui/status";
import styles from "./collection.module.css";
import { useRefresh } from "./queries";
import type { ImportedKeys } from "./types";

type Form = "known_hosts" | "csv";
type Line = ImportedKeys["lines"][number];

const SAYS: Record<Line["state"], { status: Status; words: string }> = {
  set: { status: "pass", words: "Will be added" },
  replaced: { status: "warn", words: "Replaces a key" },
  same: { status: "neutral", words: "Already known" },
  differs: { status: "warn", words: "Different key already verified" },
  no_host: { status: "not_applicable", words: "No matching host" },
  passed_over: { status: "not_applicable", words: "Skipped" },
  fault: { status: "fail", words: "Invalid" },
};

/** Keys of many hosts from a file: what each line means is shown first, and pinned only after that. */
export function ImportKeys({ close }: { close: () => void }) {
  const refresh = useRefresh();
  const [text, setText] = useState("");
  const [form, setForm] = useState<Form>("known_hosts");
  const [replaces, setReplaces] = useState(false);
  const send = async (isApplied: boolean) => {
    const response = await api.POST("/api/v1/collection/keys", { body: { text, form, replaces, is_applied: isApplied } });
    if (!response.data) throw new TypeError("the import had no body");
    return response.data;
  };
  const preview = useMutation({ mutationFn: () => send(false) });
  const pin = useMutation({
    mutationFn: () => send(true),
    onSuccess: async () => {
      await refresh();
      close();
    },
  });
  const change = (patch: () => void) => {
    patch();
    preview.reset();
    pin.reset();
  };
  const read = async (file: File | null) => {
    if (!file) return;
    const content = await file.text();
    change(() => {
      setText(content);
      setForm(file.name.toLowerCase().endsWith(".csv") ? "csv" : "known_hosts");
    });
  };
  const shown = preview.data;
  const canPin = shown !== undefined && shown.faults === 0 && shown.pinned > 0;
  return (
    <div className={styles.form}>
      <p>
        Use a trusted source, such as an admin's known_hosts file or your inventory. Only agentless hosts are affected. No credential is
        sent until a host's key is known.
      </p>
      <div className="row">
        <FileButton onChange={(file) => void read(file)} accept=".csv,.txt,text/plain,text/csv,*">
          {(props) => <Button {...props}>Choose file</Button>}
        </FileButton>
        <Select
          aria-label="File format"
          w={190}
          allowDeselect={false}
          data={[
            { value: "known_hosts", label: "known_hosts" },
            { value: "csv", label: "CSV: host,key" },
          ]}
          value={form}
          onChange={(chosen) => change(() => setForm(chosen === "csv" ? "csv" : "known_hosts"))}
        />
      </div>
      <Textarea
        label="Lines"
        description={
          form === "csv"
            ? "Format: host,key or host,port,key. The key is an SSH public key, its SHA256:… fingerprint, or a certificate's SHA-256."
            : "OpenSSH format. Hashed names are supported."
        }
        placeholder={form === "csv" ? "esx-01.example.net,SHA256:…" : "esx-01.example.net ssh-ed25519 AAAA…"}
        autosize
        minRows={4}
        maxRows={8}
        spellCheck={false}
        autoComplete="off"
        value={text}
        onChange={(event) => {
          const typed = event.currentTarget.value;
          change(() => setText(typed));
        }}
      />
      <Checkbox
        label="Replace existing keys"
        checked={replaces}
        onChange={(event) => {
          const isChecked = event.currentTarget.checked;
          change(() => setReplaces(isChecked));
        }}
      />
      {preview.error ? <Failed error={preview.error} /> : null}
      {shown ? <Lines shown={shown} /> : null}
      {pin.error ? <Failed error={pin.error} /> : null}
      <div className="row">
        <Button
          variant={canPin ? "default" : "filled"}
          disabled={text.trim() === ""}
          loading={preview.isPending}
          onClick={() => preview.mutate()}
        >
          Preview
        </Button>
        {canPin ? (
          <Button variant="filled" loading={pin.isPending} onClick={() => pin.mutate()}>
            Import keys for {plural(shown.pinned, "host")}
          </Button>
        ) : null}
      </div>
    </div>
  );
}

const MOST_SHOWN = 200;
const FIRST: Line["state"][] = ["fault", "differs", "replaced", "set", "same", "passed_over", "no_host"];

const COLUMNS: Column<ImportedKeys["lines"][number]>[] = [
  { head: "Line", isNumber: true, cell: (line) => line.line },
  { head: "Host", cell: (line) => visible(line.host?.name ?? line.names) || "–" },
  {
    head: "Result",
    className: styles.error,
    cell: (line) => (
      <>
        <StatusLabel status={SAYS[line.state].status}>{SAYS[line.state].words}</StatusLabel>
        {line.words ? <div className="dim small">{visible(line.words)}</div> : null}
      </>
    ),
  },
  {
    head: "Fingerprint",
    cell: (line) => (
      <span className={`mono ${styles.pin}`} title={line.pin}>
        {line.pin}
      </span>
    ),
  },
];

function Lines({ shown }: { shown: ImportedKeys }) {
  // What needs a decision comes first, in a file that may name a thousand hosts of others.
  const lines = [...shown.lines].sort((a, b) => FIRST.indexOf(a.state) - FIRST.indexOf(b.state) || a.line - b.line);
  return (
    <section aria-label="Preview" role="status">
      {shown.faults > 0 ? (
        <p>
          <StatusLabel status="fail">{plural(shown.faults, "line")} Invalid</StatusLabel> Fix the file first. It is imported completely or
          not at all.
        </p>
      ) : shown.pinned === 0 ? (
        <p className="dim">No changes</p>
      ) : null}
      <DataTable columns={COLUMNS} rows={lines.slice(0, MOST_SHOWN)} rowKey={(line) => `${line.line}-${line.host?.id ?? ""}`} />
      {lines.length > MOST_SHOWN ? <p className="dim small">and {lines.length - MOST_SHOWN} more lines</p> : null}
    </section>
  );
}
