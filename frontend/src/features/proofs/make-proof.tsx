import { Button, Radio, Select, TextInput } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import type { ProofMethod, RunRow } from "@/entities/proof/types";
import { useRules } from "@/entities/rule/queries";
import { plural } from "@/shared/lib/format";
import { visible } from "@/shared/lib/text";
import { Failed, QueryPanel } from "@/shared/ui/query-panel";
import styles from "./proofs.module.css";
import { makeProof, useMethod } from "./queries";

interface MakeProofProps {
  hostId: string;
  jobId: number | undefined;
  before: RunRow[];
  after: RunRow[];
}

type Answers = Record<string, "yes" | "no" | "unknown">;

/** Judges the chosen runs. What no file tells is asked here, and recorded with the proof. */
export function MakeProof({ hostId, jobId, before, after }: MakeProofProps) {
  const method = useMethod();
  return (
    <section className="section" aria-label="Compare runs">
      <h2>Compare before and after</h2>
      <QueryPanel query={method} height={200} lines={6}>
        {(data) => <Form hostId={hostId} jobId={jobId} before={before} after={after} method={data} />}
      </QueryPanel>
    </section>
  );
}

function Form({ hostId, jobId, before, after, method }: MakeProofProps & { method: ProofMethod }) {
  const navigate = useNavigate();
  const rules = useRules();
  const [title, setTitle] = useState(jobId ? `Job ${jobId}` : "");
  const [rule, setRule] = useState<string | null>(null);
  const [answers, setAnswers] = useState<Answers>({});
  const send = useMutation({
    mutationFn: () => {
      const [pack = "", ...rest] = (rule ?? "").split("/");
      return makeProof({
        host_id: hostId,
        title: title.trim(),
        before: before.map((run) => run.id),
        after: after.map((run) => run.id),
        answers,
        pack,
        rule: rest.join("/"),
        job_id: jobId ?? null,
      });
    },
    onSuccess: (proof) => navigate({ to: "/proofs/$proofId", params: { proofId: String(proof.id) } }),
  });
  const missing =
    before.length === 0 || after.length === 0
      ? "Choose a side for at least one run before and one after the change."
      : title.trim()
        ? ""
        : "Name the change.";
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (!missing) send.mutate();
      }}
    >
      <p>
        {plural(before.length, "run")} before, {plural(after.length, "run")} after. The method needs {method.runs} of each load on both
        sides.
      </p>
      <div className={styles.fields}>
        <TextInput
          label="Change"
          placeholder="Flow control turned on"
          maxLength={120}
          value={title}
          onChange={(event) => setTitle(event.currentTarget.value)}
        />
        <Select
          label="Rule (optional)"
          description="Needed for a waiver with this evidence."
          placeholder="Search by title"
          searchable
          clearable
          clearButtonProps={{ "aria-label": "Clear rule" }}
          limit={60}
          data={(rules.data?.items ?? []).map((one) => ({
            value: `${one.pack}/${one.rule}`,
            label: `${visible(one.title)} (${one.pack})`,
          }))}
          value={rule}
          onChange={setRule}
        />
      </div>
      <div className={styles.questions}>
        {method.questions.map((one) => (
          <Radio.Group
            key={one.name}
            label={one.question}
            description={one.at}
            value={answers[one.name] ?? "unknown"}
            onChange={(answer) => setAnswers((all) => ({ ...all, [one.name]: answer as Answers[string] }))}
          >
            <div className="row">
              <Radio size="xs" value="yes" label="Yes" />
              <Radio size="xs" value="no" label="No" />
              <Radio size="xs" value="unknown" label="Not known" />
            </div>
          </Radio.Group>
        ))}
      </div>
      {send.error ? <Failed error={send.error} /> : null}
      <div className="row">
        <Button type="submit" variant="filled" disabled={missing !== ""} loading={send.isPending}>
          Compare runs
        </Button>
        <span className="dim small">{missing}</span>
      </div>
    </form>
  );
}
