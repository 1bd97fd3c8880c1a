import { Button } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useState } from "react";
import { ApiProblem } from "@/shared/api/problem";
import { visible } from "@/shared/lib/text";
import { FormBody, FormDialog } from "@/shared/ui/form-dialog";
import { StatusLabel } from "@/shared/ui/status";
import { TimeAgo } from "@/shared/ui/time-ago";
import { useAct } from "@/shared/ui/use-act";
import { FORMATS } from "./labels";
import { MailFields, mailOf, missingOfMail, NO_MAIL } from "./mail-fields";
import { useMailAgain, useMailReport } from "./queries";
import styles from "./reports.module.css";
import type { ReportDetail, ReportMail } from "./types";

/** To whom the report was mailed and what came of it, and mailing it again or to others. */
export function Mails({ report }: { report: ReportDetail }) {
  return (
    <section className="section" aria-label="Mails">
      <h2>Mails</h2>
      {report.mails.length === 0 ? <p className="dim">Not mailed yet.</p> : null}
      <ul className={styles.list}>
        {report.mails.map((mail) => (
          <Mail key={mail.id} mail={mail} reportId={report.id} />
        ))}
      </ul>
      <FormDialog title="Mail this report" opener={(open) => <Button onClick={open}>Mail report…</Button>}>
        {(close) => <MailForm report={report} close={close} />}
      </FormDialog>
    </section>
  );
}

const STATE = {
  waiting: { status: "running", label: "Waiting to be sent" },
  sent: { status: "pass", label: "Sent" },
  given_up: { status: "fail", label: "Not sent" },
} as const;

function Mail({ mail, reportId }: { mail: ReportMail; reportId: number }) {
  const again = useMailAgain(reportId);
  const state = STATE[mail.state];
  const files = mail.formats.map((format) => FORMATS[format as keyof typeof FORMATS] ?? format).join(", ");
  return (
    <li className={styles.report} aria-label={`Mail ${mail.id}`}>
      <div>
        <div>
          <StatusLabel status={state.status}>{state.label}</StatusLabel> to {mail.recipients.map(visible).join(", ")}
        </div>
        <div className="dim">
          {mail.form === "link" ? "As a link" : `As attachment: ${files}`} · requested by {visible(mail.requested_by)}{" "}
          <TimeAgo at={mail.ended_at ?? mail.requested_at} />
        </div>
        {mail.words && mail.state !== "sent" ? <div className="small">{visible(mail.words)}</div> : null}
      </div>
      <Button
        size="compact-sm"
        loading={again.isPending}
        onClick={() =>
          again.mutate(mail.id, { onError: (error) => notifications.show({ title: "Not sent", message: ApiProblem.of(error).message }) })
        }
      >
        Send again
      </Button>
    </li>
  );
}

function MailForm({ report, close }: { report: ReportDetail; close: () => void }) {
  const [values, setValues] = useState(NO_MAIL);
  const send = useMailReport(report.id);
  const act = useAct(
    () => send.mutateAsync(mailOf(values)),
    () => close(),
  );
  return (
    <FormBody
      form={{
        isBusy: act.isBusy,
        error: act.error,
        submit: (event) => {
          event.preventDefault();
          act.run(undefined);
        },
      }}
      label="Mail report"
      missing={missingOfMail(values)}
    >
      <MailFields group={report.group_id} values={values} change={(patch) => setValues({ ...values, ...patch })} />
    </FormBody>
  );
}
