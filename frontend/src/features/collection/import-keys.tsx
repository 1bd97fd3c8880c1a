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
  set: { status: "pass", words: "will be set" },
  replaced: { status: "warn", words: "replaces another" },
  same: { status: "neutral", words: "known already" },
  differs: { status: "warn", words: "has another key" },
  no_host: { status: "not_applicable", words: "no host here" },
  passed_over: { status: "not_applicable", words: "passed over" },
  fault: { status: "fail", words: "broken" },
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
        A file from a place where nobody could come between: the known_hosts of an admin's machine, or a list from your inventory. Only
        hosts that Plumbline signs in to are touched, and no credential is sent to any host before its key is known.
      </p>
      <div className="row">
        <FileButton onChange={(file) => void read(file)} accept=".csv,.txt,text/plain,text/csv,*">
          {(props) => <Button {...props}>Choose a file</Button>}
        </FileButton>
        <Select
          aria-label="Kind of file"
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
            ? "host,key or host,port,key; a key is a public SSH key, SHA256:… of one, or the SHA-256 of a certificate."
            : "As OpenSSH keeps them; hashed names are understood too."
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
        label="Take the file's key where a host has another one"
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
          Show what each line means
        </Button>
        {canPin ? (
          <Button variant="filled" loading={pin.isPending} onClick={() => pin.mutate()}>
            Pin the keys of {plural(shown.pinned, "host")}
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
    head: "Meaning",
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
    <section aria-label="What each line means" role="status">
      {shown.faults > 0 ? (
        <p>
          <StatusLabel status="fail">{plural(shown.faults, "line")} broken</StatusLabel> Correct the file first: all of it is imported or
          nothing.
        </p>
      ) : shown.pinned === 0 ? (
        <p className="dim">No key would change.</p>
      ) : null}
      <DataTable columns={COLUMNS} rows={lines.slice(0, MOST_SHOWN)} rowKey={(line) => `${line.line}-${line.host?.id ?? ""}`} />
      {lines.length > MOST_SHOWN ? <p className="dim small">and {lines.length - MOST_SHOWN} lines more</p> : null}
    </section>
  );
}
