import { Button, FileButton } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import type { WaiverDetail } from "@/entities/waiver/types";
import { bytes, shortDigest } from "@/shared/lib/format";
import { visible } from "@/shared/lib/text";
import { Failed } from "@/shared/ui/query-panel";
import { upload, useReread } from "./queries";
import styles from "./waivers.module.css";

/** Text, a link and files that support a waiver. */
export function Evidence({ waiver }: { waiver: WaiverDetail }) {
  const reread = useReread();
  const attach = useMutation({ mutationFn: (file: File) => upload(`waivers/${waiver.id}`, file), onSuccess: reread });
  const isBare = !waiver.evidence && !waiver.evidence_link && waiver.files.length === 0;
  return (
    <section aria-label="Evidence">
      <h2>Evidence</h2>
      {waiver.evidence ? <p style={{ marginBottom: 6 }}>{visible(waiver.evidence)}</p> : null}
      {waiver.evidence_link ? <EvidenceLink link={waiver.evidence_link} /> : null}
      <ul className={styles.list}>
        {waiver.files.map((file) => (
          <FileLine key={file.id} kind="waivers" of={waiver.id} file={file} />
        ))}
      </ul>
      {isBare ? <p className="dim">No evidence</p> : null}
      {waiver.may_attach ? (
        <div style={{ marginTop: 8 }}>
          <FileButton onChange={(file) => file && attach.mutate(file)}>
            {(props) => (
              <Button {...props} loading={attach.isPending}>
                Attach file
              </Button>
            )}
          </FileButton>
          <p className="dim small" style={{ marginTop: 4 }}>
            Image, PDF or text, max. 1 MB. You can add files until the request is decided.
          </p>
        </div>
      ) : null}
      {attach.error ? <Failed error={attach.error} /> : null}
    </section>
  );
}

export function EvidenceLink({ link }: { link: string }) {
  return (
    <p style={{ marginBottom: 6, overflowWrap: "anywhere" }}>
      <a className="link" href={link} target="_blank" rel="noreferrer noopener">
        {visible(link)}
      </a>
    </p>
  );
}

/** A file of evidence; the server gives it as an attachment only. */
export function FileLine({ kind, of, file }: { kind: "waivers" | "attestations"; of: number; file: WaiverDetail["files"][number] }) {
  return (
    <li>
      <a className="link" href={`/api/v1/${kind}/${of}/files/${file.id}`} download>
        {visible(file.name)}
      </a>{" "}
      <span className="dim">
        {bytes(file.size_bytes)}, SHA-256 {shortDigest(file.sha256)}
      </span>
    </li>
  );
}
