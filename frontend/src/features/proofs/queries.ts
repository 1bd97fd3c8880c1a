import { useInfiniteQuery, useMutation, useQueryClient } from "@tanstack/react-query";
import { api, query } from "@/shared/api/client";
import type { Schemas } from "@/shared/api/schemas";
import type { BenchmarksSearch } from "./search";

const runsKey = ["get", "/api/v1/benchmark-runs"] as const;
const proofsKey = ["get", "/api/v1/proofs"] as const;
const proofKey = (id: number) => ["get", "/api/v1/proofs/{proof_id}", { params: { path: { proof_id: id } } }] as const;

export function useRuns({ host, tool }: BenchmarksSearch) {
  return useInfiniteQuery({
    queryKey: [...runsKey, { host, tool }] as const,
    queryFn: async ({ pageParam, signal }) => {
      const response = await api.GET("/api/v1/benchmark-runs", { params: { query: { host, tool, after: pageParam } }, signal });
      if (!response.data) throw new TypeError("the list of runs had no body");
      return response.data;
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (last) => last.next ?? undefined,
  });
}

export function useProofs(filter: { host?: string | undefined; job?: number | undefined }) {
  return useInfiniteQuery({
    queryKey: [...proofsKey, filter] as const,
    queryFn: async ({ pageParam, signal }) => {
      const response = await api.GET("/api/v1/proofs", { params: { query: { ...filter, after: pageParam } }, signal });
      if (!response.data) throw new TypeError("the list of proofs had no body");
      return response.data;
    },
    initialPageParam: undefined as number | undefined,
    getNextPageParam: (last) => (last.next ? Number(last.next) : undefined),
  });
}

export const useProof = (id: number) => query.useQuery("get", "/api/v1/proofs/{proof_id}", { params: { path: { proof_id: id } } });
export const useMethod = () => query.useQuery("get", "/api/v1/proofs/method", {}, { staleTime: Number.POSITIVE_INFINITY });
/** The share that a run reached of what another reaches alone; asked for once both are chosen. */
export const useShare = (alone: number | undefined, contended: number | undefined) =>
  query.useQuery(
    "get",
    "/api/v1/benchmark-runs/{run_id}/share",
    { params: { path: { run_id: contended ?? 0 }, query: { alone: alone ?? 0 } } },
    { enabled: alone !== undefined && contended !== undefined, retry: false },
  );

/** The bytes of a file as Base64: consoles write other encodings than UTF-8, which must arrive as they are. */
function base64(file: File): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result).replace(/^[^,]*,/, ""));
    reader.onerror = () => reject(reader.error);
    reader.readAsDataURL(file);
  });
}

interface Upload {
  hostId: string;
  file: File;
  parameters?: File | undefined;
  /** When the first run began; null where the file says it or nobody knows. */
  measuredAt: string | null;
}

export function useImport() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async ({ hostId, file, parameters, measuredAt }: Upload) => {
      const response = await api.POST("/api/v1/hosts/{host_id}/benchmarks", {
        params: { path: { host_id: hostId } },
        body: {
          name: file.name.slice(0, 120),
          content: await base64(file),
          parameter_name: parameters?.name.slice(0, 120) ?? "",
          parameter_content: parameters ? await base64(parameters) : null,
          measured_at: measuredAt,
        },
      });
      if (!response.data) throw new TypeError("the import had no body");
      return response.data;
    },
    onSuccess: () => client.invalidateQueries({ queryKey: runsKey }),
  });
}

export function useDeleteFile() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (file_id: number) => api.DELETE("/api/v1/benchmark-files/{file_id}", { params: { path: { file_id } } }),
    onSuccess: () => client.invalidateQueries({ queryKey: runsKey }),
  });
}

export async function makeProof(body: Schemas["ProofCreate"]) {
  const response = await api.POST("/api/v1/proofs", { body });
  if (!response.data) throw new TypeError("the proof had no body");
  return response.data;
}

export function useDecide(proof_id: number) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (body: Schemas["ProofDecision"]) =>
      (await api.POST("/api/v1/proofs/{proof_id}/decision", { params: { path: { proof_id } }, body })).data,
    onSuccess: async (proof) => {
      client.setQueryData(proofKey(proof_id), proof);
      await client.invalidateQueries({ queryKey: proofsKey });
    },
    // Somebody else was quicker: the page shows what they decided.
    onError: () => client.invalidateQueries({ queryKey: proofKey(proof_id) }),
  });
}
