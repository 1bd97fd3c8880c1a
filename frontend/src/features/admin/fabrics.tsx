import { Button, FileButton, Textarea } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { api } from "@/shared/api/client";
import type { FabricImportAnswer } from "@/shared/api/types";
import { count, NO_DATA, plural } from "@/shared/lib/format";
import { visible } from "@/shared/lib/text";
import { Empty, Failed } from "@/shared/ui/query-panel";
import { ScrollX } from "@/shared/ui/scroll-x";
import { Outcome } from "@/shared/ui/status";

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
  const told = send.data;
  const change = (text: string) => {
    setContent(text);
    send.reset();
  };
  const canWrite = told !== undefined && !told.is_done && told.mistakes_total === 0 && told.changes.length > 0;
  return (
    <section className="section" aria-label="Fabrics">
      <h2>
        Fabrics <span className="dim">what each adapter is cabled to; no host can tell it</span>
      </h2>
      <p className="dim" style={{ maxWidth: "80ch", marginBottom: 10 }}>
        A CSV with the columns host, adapter and fabric. A host goes by its name or id, an adapter by the name the host gives it or by its
        MAC address; an empty fabric takes the label off. Adapters without a label count as one fabric of their group.
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
          {(props) => <Button {...props}>Choose a file</Button>}
        </FileButton>
        <Button
          variant={canWrite ? "default" : "filled"}
          disabled={content.trim() === ""}
          loading={send.isPending}
          onClick={() => send.mutate({ isTrial: true })}
        >
          Check
        </Button>
        {canWrite ? (
          <Button variant="filled" loading={send.isPending} onClick={() => send.mutate({ isTrial: false })}>
            Label {plural(told.changes.length, "adapter")}
          </Button>
        ) : null}
      </div>
      {send.error ? <Failed error={send.error} /> : null}
      <div aria-live="polite" style={{ marginTop: 14 }}>
        {told ? <Told told={told} /> : null}
      </div>
    </section>
  );
}

function Told({ told }: { told: FabricImportAnswer }) {
  if (told.mistakes_total > 0)
    return (
      <>
        <p>
          <Outcome status="fail">{plural(told.mistakes_total, "mistake")}</Outcome>; nothing is labelled until they are mended.
        </p>
        <ul style={{ margin: "8px 0 0", paddingLeft: 18 }}>
          {told.mistakes.map((one) => (
            <li key={`${one.line} ${one.message}`}>
              <span className="mono">line {count(one.line)}</span>: {visible(one.message)}
            </li>
          ))}
        </ul>
      </>
    );
  if (told.changes.length === 0)
    return <Empty title="Nothing would change.">Every adapter that the file names has this label already.</Empty>;
  return (
    <>
      <p>
        {told.is_done ? <Outcome status="pass">labelled</Outcome> : <Outcome status="warn">not yet labelled</Outcome>}{" "}
        {plural(told.changes.length, "adapter")} on {plural(new Set(told.changes.map((one) => one.host_id)).size, "host")}
        {told.is_done ? "; the hosts are judged beside their new neighbours within seconds." : "."}
      </p>
      <ScrollX>
        <table className="data">
          <thead>
            <tr>
              <th scope="col">host</th>
              <th scope="col">adapter</th>
              <th scope="col">before</th>
              <th scope="col">after</th>
            </tr>
          </thead>
          <tbody>
            {told.changes.slice(0, 200).map((one) => (
              <tr key={`${one.host_id}/${one.adapter_id}`}>
                <td>{visible(one.host)}</td>
                <td>{visible(one.adapter)}</td>
                <td className="dim">{one.before ? visible(one.before) : NO_DATA}</td>
                <td>{one.after ? visible(one.after) : <span className="dim">no label</span>}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollX>
      {told.changes.length > 200 ? <p className="dim small">and {plural(told.changes.length - 200, "other")}</p> : null}
    </>
  );
}
