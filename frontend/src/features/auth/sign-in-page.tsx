import { Button, PasswordInput, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { takeSignedOut, useTakeSession } from "@/entities/person/queries";
import { signInProblem, takeSignInProblem } from "@/entities/person/sign-in-problems";
import type { Session } from "@/entities/person/types";
import { api, query } from "@/shared/api/client";
import { visible } from "@/shared/lib/text";
import { Brand } from "@/shared/ui/brand";
import { Callout } from "@/shared/ui/callout";
import { Failed } from "@/shared/ui/query-panel";
import styles from "./auth.module.css";
import { type PendingStep, SecondStep } from "./second-step";

interface SignInPageProps {
  isDemo: boolean;
  /** The name of the identity provider where people can sign in at one. */
  provider: string | null;
  /** It stands over a page whose session ended, and which waits for the next one. */
  isAgain?: boolean;
}

export function SignInPage({ isDemo, provider, isAgain = false }: SignInPageProps) {
  const [problem] = useState(takeSignInProblem);
  const [signedOutOf] = useState(takeSignedOut);
  const [pending, setPending] = useState<PendingStep | null>(null);
  const take = useTakeSession();
  // The page below has its own `main`.
  const Frame = isAgain ? "div" : "main";
  if (pending) {
    return (
      <Frame className={styles.page}>
        <div className={styles.box}>
          <Brand size={26} />
          <h1>Verify it’s you</h1>
          <SecondStep key={pending.step} pending={pending} take={take} restart={() => setPending(null)} />
        </div>
      </Frame>
    );
  }
  return (
    <Frame className={styles.page}>
      <div className={styles.box}>
        <Brand size={26} />
        <h1>Sign in{isAgain ? " again" : ""}</h1>
        {isAgain ? <Callout status="neutral">Your session has ended. Sign in to continue; your input is kept.</Callout> : null}
        {problem ? <Callout status="warn">{signInProblem(problem)}</Callout> : null}
        {signedOutOf && provider ? (
          <Callout status="neutral">
            You're signed out of Plumbline but still signed in to {visible(signedOutOf)}.{" "}
            <a href="/api/v1/sign-in/out" className="link">
              Sign out of {visible(signedOutOf)}
            </a>
          </Callout>
        ) : null}
        {provider ? (
          <>
            <Button component="a" href={startAddress()} target={isAgain ? "_blank" : undefined} variant="filled" size="sm">
              Sign in with {visible(provider)}
            </Button>
            <p className={styles.or}>or use a local account</p>
          </>
        ) : null}
        <LocalForm isMain={provider === null} take={take} ask={setPending} />
        {isDemo ? <LabLogins take={take} ask={setPending} /> : null}
      </div>
    </Frame>
  );
}

/** The page asked for is where signing in at the provider ends too. */
function startAddress(): string {
  const { pathname, search, hash } = window.location;
  return `/api/v1/sign-in/start?next=${encodeURIComponent(`${pathname}${search}${hash}`)}`;
}

/** What follows once the name and password are accepted. */
interface AfterSignIn {
  take: (session: Session | null) => void;
  /** The password was right, and the account has a second factor. */
  ask: (pending: PendingStep) => void;
}

function useSignIn({ take, ask }: AfterSignIn) {
  return useMutation({
    mutationFn: (body: { login: string; password: string }) => api.POST("/api/v1/session", { body }),
    onSuccess: ({ data }) => (data && "step" in data ? ask(data) : take(data ?? null)),
  });
}

function LocalForm({ isMain, ...after }: AfterSignIn & { isMain: boolean }) {
  const form = useForm({ mode: "uncontrolled", initialValues: { login: "", password: "" } });
  const signIn = useSignIn(after);
  return (
    <form className={styles.form} onSubmit={form.onSubmit((values) => signIn.mutate(values))}>
      <TextInput label="Login" autoComplete="username" autoFocus={isMain} required withAsterisk={false} {...form.getInputProps("login")} />
      <PasswordInput label="Password" autoComplete="current-password" required withAsterisk={false} {...form.getInputProps("password")} />
      {signIn.error ? <Failed error={signIn.error} /> : null}
      <Button type="submit" variant={isMain ? "filled" : undefined} size="sm" loading={signIn.isPending}>
        Sign in
      </Button>
    </form>
  );
}

const ROLES: Record<string, string> = {
  viewer: "reads and exports",
  operator: "plans and runs fixes",
  approver: "approves what others request",
  admin: "configures, can't approve",
};

/** The lab's people, to try each role with one press; the server names them only to a browser on its own machine. */
function LabLogins(after: AfterSignIn) {
  const logins = query.useQuery("get", "/api/v1/demo-logins");
  const signIn = useSignIn(after);
  if (logins.isPending) return null;
  if (!logins.data || logins.data.length === 0) {
    return (
      <p className={styles.note}>
        Lab fleet: all hosts are simulated. Demo logins are in the file that <code>make up</code> prints.
      </p>
    );
  }
  return (
    <section aria-label="Lab accounts" className={styles.lab}>
      <p className={styles.note}>Lab fleet: all hosts are simulated. Sign in as:</p>
      {logins.data.map((one) => (
        <Button
          key={one.login}
          justify="space-between"
          loading={signIn.isPending && signIn.variables.login === one.login}
          disabled={signIn.isPending}
          rightSection={<span className="dim small">{ROLES[one.role] ?? one.role}</span>}
          onClick={() => signIn.mutate({ login: one.login, password: one.password })}
        >
          {visible(one.login)}
        </Button>
      ))}
      {signIn.error ? <Failed error={signIn.error} /> : null}
    </section>
  );
}
