import { api, query } from "@/shared/api/client";

const of = (host_id: string) => ({ params: { path: { host_id } } });

export const useHost = (id: string, isWanted = true) => query.useQuery("get", "/api/v1/hosts/{host_id}", of(id), { enabled: isWanted });

/** Hosts whose name or address holds what somebody types, for a field that chooses one. */
export const useHostSearch = (q: string, isWanted = true) =>
  query.useQuery("get", "/api/v1/hosts", { params: { query: { q, sort: "name", limit: 20 } } }, { enabled: isWanted });

/** Every read of the hosts that wait for approval. */
export const waitingHostsKey = ["get", "/api/v1/enrolment/waiting"] as const;
export const useWaitingHosts = () => query.useQuery("get", "/api/v1/enrolment/waiting", {}, { refetchInterval: 10_000 });

/** Asks one host for a fresh check-in. */
export const checkNow = (id: string) => api.POST("/api/v1/hosts/{host_id}/check-now", of(id));

/** Lets a waiting host in; without a group, into the one that its token names. */
export const approveHost = (id: string, group_id?: number) =>
  api.POST("/api/v1/hosts/{host_id}/approve", { ...of(id), body: group_id === undefined ? {} : { group_id } });
