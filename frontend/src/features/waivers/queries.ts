import { notifications } from "@mantine/notifications";
import { keepPreviousData, useInfiniteQuery, useMutation, useQueryClient } from "@tanstack/react-query";
import { api, query } from "@/shared/api/client";
import type { Schemas } from "@/shared/api/schemas";
import type { AskSearch, WaiversSearch } from "./search";

export function useWaivers(search: WaiversSearch) {
  const { state, owner, age, ends_within, q, rule, host } = search;
  const filter = { state, owner, age, ends_within, q, rule, host };
  return useInfiniteQuery({
    queryKey: ["get", "/api/v1/waivers", filter] as const,
    queryFn: async ({ pageParam, signal }) => {
      const response = await api.GET("/api/v1/waivers", { params: { query: { ...filter, after: pageParam } }, signal });
      if (!response.data) throw new TypeError("the list of waivers had no body");
      return response.data;
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

/** One act on waivers or attestations, after which everything is read again. */
function useWaiverAct<Given, Made>(act: (given: Given) => Promise<Made>) {
  const reread = useReread();
  return useMutation({ mutationFn: act, onSuccess: reread });
}

const of = (waiver_id: number) => ({ params: { path: { waiver_id } } });

export function useApproveWaiver(id: number) {
  const reread = useReread();
  return useMutation({
    mutationFn: () => api.POST("/api/v1/waivers/{waiver_id}/approve", of(id)),
    onSuccess: async () => {
      notifications.show({ message: `Waiver ${id} is active. Scores are updated.` });
      await reread();
    },
  });
}

export const useRefuseWaiver = (id: number) =>
  useWaiverAct((reason: string) => api.POST("/api/v1/waivers/{waiver_id}/refuse", { ...of(id), body: { reason } }));

export const useWithdrawWaiver = (id: number) =>
  useWaiverAct((reason: string) => api.POST("/api/v1/waivers/{waiver_id}/withdraw", { ...of(id), body: { reason } }));

/** States what no host can see; a file of evidence follows once the statement is kept. */
export const useAttest = () =>
  useWaiverAct(async ({ body, file }: { body: Schemas["AttestationCreate"]; file: File | null }) => {
    const response = await api.POST("/api/v1/attestations", { body });
    if (file && response.data) await upload(`attestations/${response.data.id}`, file);
  });

export const useWithdrawAttestation = (attestation_id: number) =>
  useWaiverAct((reason: string) =>
    api.POST("/api/v1/attestations/{attestation_id}/withdraw", { params: { path: { attestation_id } }, body: { reason } }),
  );

/** Sends a file as it is; its type is recognised by its first bytes, not by its name. */
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
