import { Button, FileButton } from "@mantine/core";
import { useNavigate } from "@tanstack/react-router";
import type { UploadResult } from "@/entities/pack/types";
import { plural } from "@/shared/lib/format";
import { visible } from "@/shared/lib/text";
import { type Column, DataTable } from "@/shared/ui/data-table/data-table";
import { Failed } from "@/shared/ui/query-panel";
import { StatusLabel } from "@/shared/ui/status";
import styles from "./packs.module.css";
import { useUpload } from "./queries";

/** Takes a pack in and says what is wrong with it, line by line. What is in order goes on to its difference and preview. */
export function Upload() {
  const upload = useUpload();
  const navigate = useNavigate();
  const send = (files: File[]) => {
    if (files.length === 0) return;
    upload.mutate(files, {
      onSuccess: ({ draft }) => {
        if (!draft) return;
        void navigate({
          to: "/packs/$pack",
          params: { pack: draft.pack },
          search: { draft: draft.id, old: draft.previous_version_id ?? undefined },
        });
      },
    });
  };
  return (
    <section className="section" aria-label="Upload pack">
      {/* biome-ignore lint/a11y/noStaticElementInteractions: dropping is a shorter way; the buttons inside do the same by keyboard */}
      <div
        className={styles.drop}
        onDragOver={(event) => event.preventDefault()}
        onDrop={(event) => {
          event.preventDefault();
          send([...event.dataTransfer.files]);
        }}
      >
        <p>
          Drop a zip file with one pack, or choose its files: <span className="mono">pack.yaml</span>, <span className="mono">rules/</span>{" "}
          and <span className="mono">cases/</span>. It is validated right away and has no effect until you publish and activate it.
        </p>
        <div className="row">
          <FileButton accept=".zip,application/zip" onChange={(file) => send(file ? [file] : [])}>
            {(props) => (
              <Button size="sm" loading={upload.isPending} {...props}>
                Choose zip file
              </Button>
            )}
          </FileButton>
          <FileButton accept=".yaml" multiple onChange={send}>
            {(props) => (
              <Button size="sm" disabled={upload.isPending} {...props}>
                Choose YAML files
              </Button>
            )}
          </FileButton>
          <span className="dim small">Max. 1 MiB</span>
        </div>
        {upload.error ? <Failed error={upload.error} /> : null}
        {upload.data && upload.data.mistake_count > 0 ? <Mistakes result={upload.data} /> : null}
      </div>
    </section>
  );
}

const MISTAKES: Column<UploadResult["mistakes"][number]>[] = [
  { head: "File", className: "mono", cell: (mistake) => visible(mistake.file) },
  { head: "Line", isNumber: true, cell: (mistake) => mistake.line },
  { head: "Error", cell: (mistake) => visible(mistake.message) },
];

function Mistakes({ result }: { result: UploadResult }) {
  return (
    <div role="status">
      <p>
        <StatusLabel status="fail">
          {plural(result.mistake_count, "error")}. Fix {result.mistake_count === 1 ? "it" : "them"} and upload again.
        </StatusLabel>
      </p>
      <DataTable columns={MISTAKES} rows={result.mistakes} rowKey={(mistake) => `${mistake.file}:${mistake.line}:${mistake.message}`} />
    </div>
  );
}
