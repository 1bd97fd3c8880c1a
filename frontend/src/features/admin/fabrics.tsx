import { Button, FileButton, Textarea } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { api } from "@/shared/api/client";
import { count, NO_DATA, plural } from "@/shared/lib/format";
import { visible } from "@/shared/lib/text";
import { type Column, DataTable } from "@/shared/ui/data-table/data-table";
import { Empty, Failed } from "@/shared/ui/query-panel";
import { StatusLabel } from "@/shared/ui/status";
import type { FabricImportResult } from "./types";

const EXAMPLE = "host,adapter,fabric\nsql-01,SAN1,A\nsql-01,SAN2,B";

/** Labels the fabrics of many adapters from a CSV: first what would change or what is wrong with which line, then the change. */
export function FabricImport() {
  const client = useQueryClient();
  const [content, setContent] = useState("");
  const send = useMutation({
    mutationFn: async ({ isTrial }: { isTrial: boolean }) => {
      const { data } = await api.POST("/api/v1/fabric-labels/import", { body: { content, is_trial: isTrial } });
      if (!data) throw new TypeError("the import had no answer");
      return data;
    },
    onSuccess: async (done) => {
      if (done.is_done) await client.invalidateQueries();
    },
  });
  const result = send.data;
  const change = (text: string) => {
    setContent(text);
    send.reset();
  };
  const canWrite = result !== undefined && !result.is_done && result.mistakes_total === 0 && result.changes.length > 0;
  return (
    <section className="section" aria-label="Fabrics">
      <h2>
        Fabrics <span className="dim">which switch network each adapter is cabled to; hosts can't report it</span>
      </h2>
      <p className="dim" style={{ maxWidth: "80ch", marginBottom: 10 }}>
        CSV with columns host, adapter and fabric. Identify hosts by name or ID, adapters by name or MAC address. An empty fabric removes
        the label. Unlabelled adapters count as one fabric per group.
      </p>
      <Textarea
        label="CSV"
        autosize
        minRows={5}
        maxRows={16}
        maw={680}
        placeholder={EXAMPLE}
        styles={{ input: { fontFamily: "var(--mono)" } }}
        value={content}
        onChange={(event) => change(event.currentTarget.value)}
      />
      <div className="row" style={{ gap: 8, marginTop: 10 }}>
        <FileButton accept=".csv,text/csv" onChange={(file) => void file?.text().then(change)}>
          {(props) => <Button {...props}>Choose file</Button>}
        </FileButton>
        <Button
          variant={canWrite ? "default" : "filled"}
          disabled={content.trim() === ""}
          loading={send.isPending}
          onClick={() => send.mutate({ isTrial: true })}
        >
          Validate
        </Button>
        {canWrite ? (
          <Button variant="filled" loading={send.isPending} onClick={() => send.mutate({ isTrial: false })}>
            Label {plural(result.changes.length, "adapter")}
          </Button>
        ) : null}
      </div>
      {send.error ? <Failed error={send.error} /> : null}
      <div aria-live="polite" style={{ marginTop: 14 }}>
        {result ? <ImportResult result={result} /> : null}
      </div>
    </section>
  );
}

const COLUMNS: Column<FabricImportResult["changes"][number]>[] = [
  { head: "Host", cell: (one) => visible(one.host) },
  { head: "Adapter", cell: (one) => visible(one.adapter) },
  { head: "Before", className: "dim", cell: (one) => (one.before ? visible(one.before) : NO_DATA) },
  { head: "After", cell: (one) => (one.after ? visible(one.after) : <span className="dim">No label</span>) },
];

function ImportResult({ result }: { result: FabricImportResult }) {
  if (result.mistakes_total > 0)
    return (
      <>
        <p>
          <StatusLabel status="fail">{plural(result.mistakes_total, "error")}</StatusLabel>. Fix them to continue.
        </p>
        <ul style={{ margin: "8px 0 0", paddingLeft: 18 }}>
          {result.mistakes.map((one) => (
            <li key={`${one.line} ${one.message}`}>
              <span className="mono">line {count(one.line)}</span>: {visible(one.message)}
            </li>
          ))}
        </ul>
      </>
    );
  if (result.changes.length === 0) return <Empty title="No changes">All adapters in the file already have these labels.</Empty>;
  return (
    <>
      <p>
        {result.is_done ? <StatusLabel status="pass">Applied</StatusLabel> : <StatusLabel status="warn">Preview</StatusLabel>}{" "}
        {plural(result.changes.length, "adapter")} on {plural(new Set(result.changes.map((one) => one.host_id)).size, "host")}
        {result.is_done ? ". Re-evaluating the hosts." : "."}
      </p>
      <DataTable columns={COLUMNS} rows={result.changes.slice(0, 200)} rowKey={(one) => `${one.host_id}/${one.adapter_id}`} />
      {result.changes.length > 200 ? <p className="dim small">and {count(result.changes.length - 200)} more</p> : null}
    </>
  );
}
