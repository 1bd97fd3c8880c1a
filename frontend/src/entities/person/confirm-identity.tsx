import { Button, PasswordInput } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useEffect, useState } from "react";
import { api, sessionKey } from "@/shared/api/client";
import { requireBody } from "@/shared/api/require-body";
import { useChange } from "@/shared/api/use-change";
import { visible } from "@/shared/lib/text";
import { Callout } from "@/shared/ui/callout";
import { Failed } from "@/shared/ui/query-panel";
import { askForPasskey } from "./passkeys";
import { useSession } from "./queries";
import { CONFIRMED_CHANNEL, signInProblem } from "./sign-in-problems";

// As the API has it: a proof is good for five minutes. Half a minute of it is left for the act itself.
const GOOD_FOR_MS = 4.5 * 60_000;

interface ConfirmIdentityProps {
  password: string;
  setPassword: (password: string) => void;
}

/**
 * Asks whoever is about to sign something to prove once more who they are: by the password, or, where they signed in at the
 * identity provider, there. That happens in a window of its own, so that nothing filled in here is lost.
 */
export function ConfirmIdentity({ password, setPassword }: ConfirmIdentityProps) {
  const session = useSession().data;
  if (session?.provider) return <AtProvider provider={session.provider} provenAt={session.authenticated_at} />;
  const field = (
    <PasswordInput
      label="Password"
      description="Enter your password to sign."
      autoComplete="current-password"
      value={password}
      onChange={(event) => setPassword(event.currentTarget.value)}
    />
  );
  if (!session?.second_factors.includes("passkey")) return field;
  return <BySecondFactor confirmedAt={session.confirmed_at} field={field} />;
}

/** The password, or a passkey in its place. */
function BySecondFactor({ confirmedAt, field }: { confirmedAt: string | null; field: ReactNode }) {
  const isGood = useIsGood(confirmedAt ?? "1970-01-01T00:00:00Z");
  const confirm = useConfirmByPasskey();
  if (isGood) return <Callout status="pass">You confirmed with your passkey within the last five minutes.</Callout>;
  return (
    <div style={{ display: "grid", gap: 8, justifyItems: "start" }}>
      <div style={{ width: "100%" }}>{field}</div>
      <Button onClick={() => confirm.mutate(undefined)} loading={confirm.isPending}>
        Use a passkey instead
      </Button>
      {confirm.error ? <Failed error={confirm.error} /> : null}
    </div>
  );
}

/** Confirms who it is by a passkey, and reads the session again, which says so. */
function useConfirmByPasskey() {
  return useChange(async (_: undefined) => {
    const begun = requireBody((await api.POST("/api/v1/session/confirm")).data);
    const passkey = await askForPasskey(begun.passkey ?? {});
    return api.POST("/api/v1/session/reauthenticate", { body: { step: begun.step, passkey } });
  }, sessionKey);
}

/** The same as a slot of `ActionDialog`. */
export const confirmIdentity = (password: string, setPassword: (password: string) => void) => (
  <ConfirmIdentity password={password} setPassword={setPassword} />
);

function AtProvider({ provider, provenAt }: { provider: string; provenAt: string }) {
  const client = useQueryClient();
  const [problem, setProblem] = useState("");
  const isGood = useIsGood(provenAt);
  useEffect(() => {
    const channel = new BroadcastChannel(CONFIRMED_CHANNEL);
    channel.onmessage = ({ data }: MessageEvent<unknown>) => {
      setProblem(typeof data === "string" ? data : "");
      void client.invalidateQueries({ queryKey: sessionKey });
    };
    return () => channel.close();
  }, [client]);
  return (
    <div style={{ display: "grid", gap: 8, justifyItems: "start" }}>
      {isGood ? (
        <Callout status="pass">Identity confirmed with {visible(provider)} within the last 5 minutes.</Callout>
      ) : (
        <>
          <span className="dim small">Confirm your identity with {visible(provider)} to sign. Opens a new window.</span>
          <Button onClick={() => window.open("/api/v1/sign-in/confirm", "plumbline-confirm", "popup,width=520,height=720")}>
            Confirm with {visible(provider)}
          </Button>
        </>
      )}
      {problem && !isGood ? <Callout status="warn">{signInProblem(problem)}</Callout> : null}
    </div>
  );
}

/** Whether the proof is of the last minutes; draws again when that ends. */
function useIsGood(provenAt: string): boolean {
  const left = new Date(provenAt).getTime() + GOOD_FOR_MS - Date.now();
  const [, setOver] = useState("");
  useEffect(() => {
    if (left <= 0) return;
    const timer = setTimeout(() => setOver(provenAt), left);
    return () => clearTimeout(timer);
  }, [left, provenAt]);
  return left > 0;
}
