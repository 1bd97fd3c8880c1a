import { Button } from "@mantine/core";
import { bytes } from "@/shared/lib/format";
import { FORMAT_ORDER, FORMATS } from "./labels";
import styles from "./reports.module.css";
import type { Report } from "./types";

const address = (report: Report, format: string) => `/api/v1/reports/${report.id}/files/${format}`;

/** The files of a finished report, to download. */
export function ReportFiles({ report }: { report: Report }) {
  const files = FORMAT_ORDER.flatMap((format) => report.files.filter((file) => file.format === format));
  return (
    <div className={styles.files}>
      {files.map((file) => (
        <span key={file.format} className={styles.file}>
          <Button renderRoot={(props) => <a {...props} href={address(report, file.format)} download />}>
            {FORMATS[file.format as keyof typeof FORMATS] ?? file.format.toUpperCase()}
          </Button>
          <span className="dim small">{bytes(file.bytes)}</span>
        </span>
      ))}
    </div>
  );
}
