import { Button, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useMutation } from "@tanstack/react-query";
import { askForPasskey, passkeyObstacle } from "@/entities/person/passkeys";
import type { Session } from "@/entities/person/types";
import { api } from "@/shared/api/client";
import { ApiProblem } from "@/shared/api/problem";
import type { Schemas } from "@/shared/api/schemas";
import { Failed } from "@/shared/ui/query-panel";
import styles from "./auth.module.css";

export type PendingStep = Schemas["SecondStepOut"];
type Proof = Pick<Schemas["SecondStepIn"], "code" | "passkey">;

interface SecondStepProps {
  pending: PendingStep;
  take: (session: Session | null) => void;
  /** Back to login and password: the person chose to, or the step took too long. */
  restart: () => void;
}

/** The second step of a sign-in: a code of an app, a passkey, or a recovery code. */
export function SecondStep({ pending, take, restart }: SecondStepProps) {
  const hasApp = pending.methods.includes("authenticator");
  const form = useForm({ mode: "uncontrolled", initialValues: { code: "" } });
  const finish = useMutation({
    mutationFn: (proof: Proof) => api.POST("/api/v1/session/second-step", { body: { step: pending.step, ...proof } }),
    onSuccess: ({ data }) => take(data ?? null),
  });
  const byPasskey = useMutation({
    mutationFn: async () => finish.mutateAsync({ passkey: await askForPasskey(pending.passkey ?? {}) }),
  });
  const obstacle = pending.passkey ? passkeyObstacle(String(pending.passkey.rpId)) : "";
  const error = byPasskey.error ?? finish.error;
  const isOver = error !== null && ApiProblem.of(error).code === "second_step_over";
  return (
    <>
      {pending.passkey ? (
        <>
          <Button variant="filled" size="sm" disabled={obstacle !== ""} loading={byPasskey.isPending} onClick={() => byPasskey.mutate()}>
            Use your passkey
          </Button>
          {obstacle ? <p className={styles.note}>{obstacle}</p> : null}
          <p className={styles.or}>or</p>
        </>
      ) : null}
      <form
        className={styles.form}
        onSubmit={form.onSubmit(({ code }) => {
          byPasskey.reset();
          finish.mutate({ code });
        })}
      >
        <TextInput
          label={hasApp ? "Code" : "Recovery code"}
          description={hasApp ? "Six digits from your authenticator app, or a recovery code." : "One of the codes that you saved."}
          autoComplete="one-time-code"
          autoFocus
          required
          withAsterisk={false}
          styles={{ input: { fontFamily: "var(--mono)" } }}
          {...form.getInputProps("code")}
        />
        {error ? <Failed error={error} /> : null}
        <Button type="submit" variant={pending.passkey ? undefined : "filled"} size="sm" loading={finish.isPending} disabled={isOver}>
          Verify code
        </Button>
      </form>
      <Button size="sm" variant="subtle" onClick={restart}>
        Start over
      </Button>
      <p className={styles.note}>Lost your second factor? Use a recovery code, or ask an admin to remove it.</p>
    </>
  );
}
