import { keepPreviousData, useInfiniteQuery, useQueryClient } from "@tanstack/react-query";
import { api, query } from "@/shared/api/client";
import type { AskSearch, WaiversSearch } from "./search";

export function useWaivers(search: WaiversSearch) {
  const { state, owner, age, ends_within, q, rule, host } = search;
  const asked = { state, owner, age, ends_within, q, rule, host };
  return useInfiniteQuery({
    queryKey: ["get", "/api/v1/waivers", asked] as const,
    queryFn: async ({ pageParam, signal }) => {
      const answer = await api.GET("/api/v1/waivers", { params: { query: { ...asked, after: pageParam } }, signal });
      if (!answer.data) throw new TypeError("the list of waivers had no body");
      return answer.data;
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (last) => last.next ?? undefined,
    placeholderData: keepPreviousData,
  });
}

export const useWaiver = (waiver_id: number) => query.useQuery("get", "/api/v1/waivers/{waiver_id}", { params: { path: { waiver_id } } });
export const useWaived = (waiver_id: number) =>
  query.useQuery("get", "/api/v1/waivers/{waiver_id}/findings", { params: { path: { waiver_id } } });
export const useForecast = (waiver_id: number) =>
  query.useQuery("get", "/api/v1/waivers/{waiver_id}/preview", { params: { path: { waiver_id } } });
export const useNotices = () => query.useQuery("get", "/api/v1/waivers/notices", {}, { refetchInterval: 60_000 });
export const useOwners = () => query.useQuery("get", "/api/v1/waivers/owners", {}, { staleTime: 60_000 });
export const useAttestations = (host?: string) => query.useQuery("get", "/api/v1/attestations", { params: { query: { host } } });

/** What a waiver would change; asked for once a rule and a place are named. */
export const usePreview = (ask: AskSearch) => {
  const isWhole = ask.pack !== undefined && ask.rule !== undefined && (ask.host?.length ?? 0) > 0 !== (ask.group !== undefined);
  return query.useQuery("post", "/api/v1/waivers/preview", { body: bodyOf(ask) }, { enabled: isWhole, staleTime: 5_000 });
};

export const bodyOf = (ask: AskSearch) => ({
  pack: ask.pack ?? "",
  rule: ask.rule ?? "",
  host_ids: ask.host ?? [],
  group_id: ask.group ?? null,
  subject_kind: ask.skind ?? "",
  subject_id: ask.sid ?? "",
  replaces_id: ask.replaces ?? null,
});

/** A waiver or an attestation moves findings, scores and counts: everything that was read of the fleet is read again. */
export function useReread() {
  const client = useQueryClient();
  return () => client.invalidateQueries();
}

/** Sends a file as it is; its type is told by its first bytes, not by its name. */
export async function upload(path: string, file: File): Promise<void> {
  const [kind, id] = path.split("/");
  const send = { params: { query: { name: file.name } }, body: file as never, bodySerializer: () => file, headers: octets };
  if (kind === "waivers")
    await api.POST("/api/v1/waivers/{waiver_id}/files", { ...send, params: { ...send.params, path: { waiver_id: Number(id) } } });
  else
    await api.POST("/api/v1/attestations/{attestation_id}/files", {
      ...send,
      params: { ...send.params, path: { attestation_id: Number(id) } },
    });
}

const octets = { "Content-Type": "application/octet-stream" };
