import { Button } from "@mantine/core";
import { useEffect } from "react";
import { CONFIRMED_CHANNEL, signInProblem } from "@/entities/person/sign-in-problems";
import { Brand } from "@/shared/ui/brand";
import { Callout } from "@/shared/ui/callout";
import styles from "./auth.module.css";

/** Where a confirmation at the identity provider ends: it tells the window that asked for it, and is done. */
export function ConfirmedPage() {
  const problem = new URLSearchParams(window.location.search).get("problem") ?? "";
  useEffect(() => {
    const channel = new BroadcastChannel(CONFIRMED_CHANNEL);
    channel.postMessage(problem);
    channel.close();
    // Works where this window was opened for the purpose; elsewhere the page stays and says what to do.
    if (problem === "") window.close();
  }, [problem]);
  return (
    <main className={styles.page}>
      <div className={styles.box}>
        <Brand size={26} />
        <h1>{problem ? "Identity not confirmed" : "Identity confirmed"}</h1>
        {problem ? (
          <Callout status="warn">{signInProblem(problem)}</Callout>
        ) : (
          <Callout status="pass">You can approve and sign for the next 5 minutes. Return to the previous window.</Callout>
        )}
        <Button onClick={() => window.close()}>Close window</Button>
      </div>
    </main>
  );
}
