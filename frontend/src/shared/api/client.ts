import { MutationCache, QueryCache, QueryClient } from "@tanstack/react-query";
import createFetchClient from "openapi-fetch";
import createQueryClient from "openapi-react-query";
import { idempotent } from "./idempotency";
import { ApiProblem } from "./problem";
import type { paths } from "./schema.gen";

/** The API by its generated types. Every refusal is thrown as an ApiProblem, whatever its body was. */
export const api = createFetchClient<paths>({ baseUrl: "/", credentials: "same-origin", fetch: idempotent((request) => fetch(request)) });

api.use({
  onRequest({ request }) {
    // Cross-site forms cannot set a header of their own; the API asks for this one on every change.
    if (request.method !== "GET") request.headers.set("X-Plumbline", "1");
    return request;
  },
  async onResponse({ response }) {
    if (!response.ok) throw await ApiProblem.from(response);
  },
});

export const query = createQueryClient(api);

export const sessionKey = ["get", "/api/v1/session"] as const;
/** True once the session ended while its page was open. */
export const endedKey = ["session ended"] as const;

export function makeQueryClient(): QueryClient {
  // A session that ended elsewhere: the page stays, and somebody is asked to sign in again over it.
  const lookAtSession = (error: Error) => {
    if (error instanceof ApiProblem && error.status === 401) void client.invalidateQueries({ queryKey: sessionKey });
  };
  const client: QueryClient = new QueryClient({
    queryCache: new QueryCache({
      onError(error, failed) {
        if (failed.queryKey[1] !== sessionKey[1]) lookAtSession(error);
      },
    }),
    mutationCache: new MutationCache({ onError: lookAtSession }),
    defaultOptions: {
      queries: {
        staleTime: 10_000,
        refetchOnWindowFocus: true,
        retry: (times, error) => times < 2 && !(error instanceof ApiProblem && error.status >= 400 && error.status < 500),
      },
      mutations: { retry: false },
    },
  });
  return client;
}
