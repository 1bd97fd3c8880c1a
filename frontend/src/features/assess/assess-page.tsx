import { Button, FileButton, Progress } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { bytes, plural } from "@/shared/lib/format";
import { visible } from "@/shared/lib/text";
import { CopyButton } from "@/shared/ui/copy-button";
import { Empty, Failed, QueryPanel } from "@/shared/ui/query-panel";
import { StatusLabel } from "@/shared/ui/status";
import { TimeAgo } from "@/shared/ui/time-ago";
import styles from "./assess.module.css";
import { type Upload, useAssessments, useDeleteAssessment, useUploads } from "./queries";
import type { AssessmentRow } from "./types";

const SMALL_BUNDLE =
  'vm-support -a "Network:base Network:tcpip Network:dvs Storage:base Storage:iscsi Storage:Multipathing System:EsxImage Configuration:System Userworld:HostAgent Hardware:base"';

/** Hosts from bundles that somebody has already: dropped, read, and shown with the line of the bundle that says what is wrong. */
export function AssessPage() {
  const { uploads, start, cancel } = useUploads();
  const assessments = useAssessments();
  return (
    <>
      <div className="page-head">
        <h1>Assess a bundle</h1>
        <span className="dim">Evaluate hosts from support bundles, without an agent or a credential. Nothing is changed on a host.</span>
      </div>
      <DropZone start={start} />
      {uploads.length > 0 ? (
        <ul className={styles.list} aria-label="Uploads">
          {uploads.map((upload) => (
            <UploadRow key={upload.key} upload={upload} cancel={() => void cancel(upload)} />
          ))}
        </ul>
      ) : null}
      <section className="section" aria-label="Your assessments">
        <h2>Your assessments</h2>
        <QueryPanel
          query={assessments}
          height={180}
          isEmpty={(data) => data.length === 0}
          empty={<Empty title="No assessments yet">Drop a bundle above. Only you see what you upload; the file itself is not kept.</Empty>}
        >
          {(data) => (
            <ul className={styles.list}>
              {data
                .filter((one) => one.state !== "receiving" || !uploads.some((upload) => upload.id === one.id))
                .map((one) => (
                  <AssessmentLine key={one.id} assessment={one} />
                ))}
            </ul>
          )}
        </QueryPanel>
      </section>
    </>
  );
}

function DropZone({ start }: { start: (files: readonly File[]) => void }) {
  return (
    <section aria-label="Upload bundles">
      {/* biome-ignore lint/a11y/noStaticElementInteractions: dropping is a shorter way; the button inside does the same by keyboard */}
      <div
        className={styles.drop}
        onDragOver={(event) => event.preventDefault()}
        onDrop={(event) => {
          event.preventDefault();
          start([...event.dataTransfer.files]);
        }}
      >
        <p>
          Drop one or more bundles here: vm-support of ESXi 5.5 to 9.0, a vCenter log bundle, Get-NetView, Get-SDDCDiagnosticInfo, an
          RVTools workbook, or a zip of command outputs.
        </p>
        <div className="row">
          <FileButton multiple onChange={start}>
            {(props) => (
              <Button size="sm" variant="filled" {...props}>
                Choose bundles
              </Button>
            )}
          </FileButton>
          <span className="dim small">Max. 8 GiB each. Passwords and keys in a bundle are not read.</span>
        </div>
        <details>
          <summary>No bundle yet?</summary>
          <p className="small">On an ESXi host, this makes a small one of a few MB:</p>
          <p className={styles.command}>
            <code>{SMALL_BUNDLE}</code> <CopyButton text={SMALL_BUNDLE} label="command" />
          </p>
        </details>
      </div>
    </section>
  );
}

function UploadRow({ upload, cancel }: { upload: Upload; cancel: () => void }) {
  const share = upload.size > 0 ? Math.floor((100 * upload.sent) / upload.size) : 0;
  return (
    <li className={styles.row} aria-label={`Upload of ${upload.name}`}>
      <div className={styles.grow}>
        <div className="strong">{visible(upload.name)}</div>
        {upload.error ? (
          <Failed error={upload.error} />
        ) : (
          <>
            <Progress value={share} aria-label={`${share}% of ${upload.name} uploaded`} />
            <div className="dim small">
              {bytes(upload.sent)} of {bytes(upload.size)} uploaded
            </div>
          </>
        )}
      </div>
      <Button onClick={cancel}>{upload.error ? "Dismiss" : "Cancel upload"}</Button>
    </li>
  );
}

function AssessmentLine({ assessment }: { assessment: AssessmentRow }) {
  const remove = useDeleteAssessment();
  const share = Math.floor((100 * assessment.read_bytes) / assessment.size_bytes);
  return (
    <li className={styles.row} aria-label={`Assessment of ${assessment.name}`}>
      <div className={styles.grow}>
        <div className="strong">
          {assessment.state === "failed" || assessment.state === "receiving" ? (
            visible(assessment.name)
          ) : (
            <Link to="/assess/$assessmentId" params={{ assessmentId: String(assessment.id) }} search={{}}>
              {visible(assessment.name)}
            </Link>
          )}
        </div>
        <div className="dim small">
          {bytes(assessment.size_bytes)}, uploaded <TimeAgo at={assessment.created_at} />
          {assessment.host_count > 0 ? `, ${plural(assessment.host_count, "host")}` : ""}
        </div>
        {assessment.state === "failed" ? <p className="small">This bundle could not be assessed: {visible(assessment.error)}</p> : null}
        {assessment.state === "reading" ? <Progress value={share} aria-label={`${share}% read`} /> : null}
        {remove.error ? <Failed error={remove.error} /> : null}
      </div>
      <div className={styles.end}>
        <StateLabel state={assessment.state} />
        {assessment.state === "ready" ? (
          <Button renderRoot={(props) => <a {...props} href={`/api/v1/assessments/${assessment.id}/report`} download />}>
            Download PDF
          </Button>
        ) : null}
        <Button onClick={() => remove.mutate(assessment.id)} loading={remove.isPending}>
          Delete assessment
        </Button>
      </div>
    </li>
  );
}

export function StateLabel({ state }: { state: AssessmentRow["state"] }) {
  if (state === "reading") return <StatusLabel status="running">Reading…</StatusLabel>;
  if (state === "receiving") return <StatusLabel status="unknown">Upload not finished</StatusLabel>;
  return state === "failed" ? <StatusLabel status="fail">Not read</StatusLabel> : null;
}
