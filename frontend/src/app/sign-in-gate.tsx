import type { ReactNode } from "react";
import { useHasEnded, useSession, useSetup } from "@/entities/person/queries";
import { CONFIRMED_PAGE } from "@/entities/person/sign-in-problems";
import { ConfirmedPage } from "@/features/auth/confirmed-page";
import { SessionEnded } from "@/features/auth/session-ended";
import { SetupPage } from "@/features/auth/setup-page";
import { SignInPage } from "@/features/auth/sign-in-page";
import { LiveProvider } from "@/shared/api/live";
import { knownZone } from "@/shared/lib/time";
import { Failed } from "@/shared/ui/query-panel";
import { ZoneContext } from "@/shared/ui/time-ago";

/**
 * Lets nobody past who is not signed in. The sign-in page takes the place of the page asked for and keeps its address,
 * so that a link from a chat lands where it points after signing in. Where a session ends under an open page, it stands over that page
 * instead, out of sight and out of reach, so that nothing filled in there is lost.
 */
export function SignInGate({ children }: { children: ReactNode }) {
  const session = useSession();
  const isOut = session.data === null;
  const hasEnded = useHasEnded();
  const setup = useSetup(isOut || hasEnded);

  // The end of a way through the identity provider, in a window of its own: no page of the program, and no need of a session.
  if (window.location.pathname === CONFIRMED_PAGE) return <ConfirmedPage />;
  if (session.data) {
    return (
      // Another person begins on a page of their own.
      <ZoneContext key={session.data.person.id} value={knownZone(session.data.person.time_zone)}>
        <LiveProvider>{children}</LiveProvider>
        {hasEnded ? <SessionEnded isDemo={setup.data?.is_demo ?? false} provider={setup.data?.provider ?? null} /> : null}
      </ZoneContext>
    );
  }
  if (session.error || setup.error) {
    return (
      <main style={{ maxWidth: 560, margin: "15vh auto", padding: 16 }}>
        <Failed error={session.error ?? setup.error} retry={() => (session.error ? session.refetch() : setup.refetch())} />
      </main>
    );
  }
  if (!isOut || setup.data === undefined) return null;
  return setup.data.needs_setup ? <SetupPage /> : <SignInPage isDemo={setup.data.is_demo} provider={setup.data.provider} />;
}
