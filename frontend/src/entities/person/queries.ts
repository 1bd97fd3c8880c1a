import { type QueryClient, type QueryKey, skipToken, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { api, endedKey, query, sessionKey } from "@/shared/api/client";
import { ApiProblem } from "@/shared/api/problem";
import type { Session } from "./types";

/**
 * The session of this browser; null when nobody is signed in, which is an answer and not an error. One that ended while a page was open
 * stays as it was, and `useHasEnded` says so: the page keeps what was filled in until somebody signs in again.
 */
export function useSession() {
  return useQuery<Session | null>({
    queryKey: sessionKey,
    queryFn: async ({ signal, client }) => {
      let session: Session | null = null;
      const known = client.getQueryData<Session | null>(sessionKey) ?? null;
      // Asked first where nobody is known to be signed in: a browser without a cookie would only be refused, and say so in its console.
      if (known === null && !(await api.GET("/api/v1/setup", { signal })).data?.has_cookie) return null;
      try {
        session = (await api.GET("/api/v1/session", { signal })).data ?? null;
      } catch (error) {
        if (!(error instanceof ApiProblem && error.status === 401)) throw error;
      }
      if (session) follow(client, session);
      const before = client.getQueryData<Session | null>(sessionKey) ?? null;
      client.setQueryData(endedKey, session === null && before !== null);
      return session ?? before;
    },
    staleTime: 60_000,
  });
}

/** The session ended while its page was open, by time or by somebody's act. */
export const useHasEnded = (): boolean =>
  useQuery({ queryKey: endedKey, queryFn: skipToken, initialData: false, staleTime: Number.POSITIVE_INFINITY }).data === true;

/** Takes up the session that somebody just began here. */
export function useTakeSession() {
  const client = useQueryClient();
  return (session: Session | null) => {
    if (session) follow(client, session);
    client.setQueryData(sessionKey, session);
    client.setQueryData(endedKey, false);
  };
}

/** What another person read leaves the memory of this page; what failed since the same person's session ended is read again. */
function follow(client: QueryClient, session: Session): void {
  const before = client.getQueryData<Session | null>(sessionKey);
  const read = { predicate: ({ queryKey }: { queryKey: QueryKey }) => queryKey[1] !== sessionKey[1] && queryKey[0] !== endedKey[0] };
  if (before && before.person.id !== session.person.id) client.removeQueries(read);
  else if (client.getQueryData<boolean>(endedKey)) void client.invalidateQueries(read);
}

/** What the signed-in person may do, false for everything while that is not known. */
export function useCan(): Partial<Session["can"]> {
  return useSession().data?.can ?? {};
}

const SIGNED_OUT = "plumbline-signed-out-of";

/** The identity provider at which the session just ended was begun, told once: the session there goes on. Empty for none. */
export function takeSignedOut(): string {
  const provider = sessionStorage.getItem(SIGNED_OUT) ?? "";
  sessionStorage.removeItem(SIGNED_OUT);
  return provider;
}

/** Ends the session; everything read under it leaves the memory of this page. */
export function useSignOut() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => {
      const provider = client.getQueryData<Session | null>(sessionKey)?.provider;
      if (provider) sessionStorage.setItem(SIGNED_OUT, provider);
      return api.DELETE("/api/v1/session");
    },
    onSettled: () => {
      // The session's own query stays: whoever watches it has to hear that it ended. Clearing it too would leave this page standing.
      client.setQueryData(sessionKey, null);
      client.removeQueries({ predicate: (one) => one.queryKey[1] !== sessionKey[1] });
    },
  });
}

/** Keeps the time zone in which this person reads times. */
export function useSetZone() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (time_zone: string) => api.PATCH("/api/v1/session", { body: { time_zone } }),
    onMutate: (time_zone) => {
      const before = client.getQueryData<Session | null>(sessionKey);
      if (before) client.setQueryData(sessionKey, { ...before, person: { ...before.person, time_zone } });
      return { before };
    },
    onError: (_error, _zone, kept) => client.setQueryData(sessionKey, kept?.before ?? null),
    onSettled: () => client.invalidateQueries({ queryKey: sessionKey }),
  });
}

/** Whether the first admin has still to be made, and how people sign in; read without a session. */
export const useSetup = (isWanted: boolean) => query.useQuery("get", "/api/v1/setup", {}, { enabled: isWanted });
