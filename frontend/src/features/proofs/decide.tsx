import { Button, Textarea, TextInput } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import type { ProofDetail } from "@/entities/proof/types";
import { api } from "@/shared/api/client";
import { plural } from "@/shared/lib/format";
import { visible } from "@/shared/lib/text";
import { FormBody, FormDialog } from "@/shared/ui/form-dialog";
import { useActForm } from "@/shared/ui/use-act-form";
import styles from "./proofs.module.css";
import { useDecide } from "./queries";

/** Keep, revert or waive: what follows from a verdict is a person's decision. */
export function Decide({ proof }: { proof: ProofDetail }) {
  if (!proof.may_decide) return <p className="dim">An operator decides what follows from it.</p>;
  return (
    <div className={styles.acts}>
      <FormDialog
        title="Keep the change"
        opener={(open) => (
          <Button variant={proof.advice === "keep" ? "filled" : "default"} onClick={open}>
            Keep change
          </Button>
        )}
      >
        {(close) => <KeepForm proof={proof} close={close} />}
      </FormDialog>
      <FormDialog
        title="Revert the change"
        opener={(open) => (
          <Button variant={proof.advice === "revert" ? "filled" : "default"} onClick={open}>
            Revert change
          </Button>
        )}
      >
        {(close) => <RevertForm proof={proof} close={close} />}
      </FormDialog>
      <FormDialog
        title="Request a waiver with this evidence"
        opener={(open) => (
          <Button variant={proof.advice === "waive" ? "filled" : "default"} onClick={open} disabled={!proof.rule}>
            Request waiver
          </Button>
        )}
      >
        {(close) => <WaiveForm proof={proof} close={close} />}
      </FormDialog>
      {proof.rule ? null : <span className="dim small">For a waiver, name the rule when you compare the runs.</span>}
    </div>
  );
}

interface FormProps {
  proof: ProofDetail;
  close: () => void;
}

function KeepForm({ proof, close }: FormProps) {
  const decide = useDecide(proof.id);
  const form = useActForm({
    initialValues: { reason: "" },
    send: ({ reason }) => decide.mutateAsync({ decision: "keep", reason }),
    whenDone: close,
  });
  return (
    <FormBody form={form} label="Keep change">
      <Textarea label="Reason (optional)" maxLength={2000} autosize minRows={2} {...form.getInputProps("reason")} />
    </FormBody>
  );
}

function RevertForm({ proof, close }: FormProps) {
  const decide = useDecide(proof.id);
  const navigate = useNavigate();
  const [reason, setReason] = useState("");
  const hasPlan = proof.to_revert.length > 0;
  const send = useMutation({
    mutationFn: async () => {
      let plan: number | null = null;
      if (hasPlan) {
        const made = await api.POST("/api/v1/plans", {
          body: {
            title: `Revert: ${proof.title}`.slice(0, 200),
            reason: `${proof.evidence} ${reason}`.trim().slice(0, 2000),
            findings: proof.to_revert.map((one) => ({
              host_id: proof.host.id,
              pack: one.pack,
              rule: one.rule,
              subject_kind: one.subject_kind,
              subject_id: one.subject_id,
            })),
          },
        });
        if (!made.data) throw new TypeError("the plan had no body");
        plan = made.data.id;
      }
      await decide.mutateAsync({ decision: "revert", reason, plan_id: plan });
      return plan;
    },
    onSuccess: (plan) => {
      close();
      if (plan) void navigate({ to: "/remediate/$planId", params: { planId: String(plan) } });
    },
  });
  const form = {
    submit: (event: { preventDefault: () => void }) => {
      event.preventDefault();
      send.mutate();
    },
    isBusy: send.isPending,
    error: send.error,
  };
  return (
    <FormBody form={form} label={hasPlan ? "Create plan" : "Record revert"}>
      {hasPlan ? (
        <>
          <p>
            {plural(proof.to_revert.length, "finding")} passed before the change and {proof.to_revert.length === 1 ? "fails" : "fail"}{" "}
            since. A plan that fixes {proof.to_revert.length === 1 ? "it" : "them"} reverts the change. Nothing changes before it is
            approved.
          </p>
          <ul className={styles.list}>
            {proof.to_revert.map((one) => (
              <li key={`${one.pack}/${one.rule}/${one.subject_id}`}>{visible(one.title)}</li>
            ))}
          </ul>
        </>
      ) : (
        <p>
          No finding that a plan can fix began to fail between the runs.{" "}
          {proof.job_id ? (
            <>
              Undo{" "}
              <Link to="/jobs/$jobId" params={{ jobId: String(proof.job_id) }} className="link">
                job {proof.job_id}
              </Link>{" "}
              within 24 hours of its end, or set the old values manually.
            </>
          ) : (
            "Set the old values manually; they are listed under Changes between the runs."
          )}
        </p>
      )}
      <Textarea
        label="Reason (optional)"
        maxLength={1000}
        autosize
        minRows={2}
        value={reason}
        onChange={(event) => setReason(event.currentTarget.value)}
      />
    </FormBody>
  );
}

const day = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);

function WaiveForm({ proof, close }: FormProps) {
  const decide = useDecide(proof.id);
  const navigate = useNavigate();
  const form = useActForm({
    initialValues: { until: day(90) },
    validate: { until: (date) => (date > day(0) ? null : "Choose a day in the future") },
    send: ({ until }) => decide.mutateAsync({ decision: "waive", test_again_on: until }),
    whenDone: () => {
      close();
      void navigate({
        to: "/waivers/new",
        search: {
          pack: proof.pack,
          rule: proof.rule,
          host: [proof.host.id],
          until: form.values.until,
          evidence: proof.evidence,
          link: `/proofs/${proof.id}`,
        },
      });
    },
  });
  return (
    <FormBody form={form} label="Request waiver" note="An approver decides on the next page's request.">
      <p>{proof.evidence}</p>
      <TextInput
        type="date"
        label="Test again on"
        description="The waiver expires on this day, so that the load is measured again."
        min={day(1)}
        {...form.getInputProps("until")}
      />
    </FormBody>
  );
}
