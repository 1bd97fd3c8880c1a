import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { Draft, UploadResult } from "@/entities/pack/types";
import { api, query } from "@/shared/api/client";
import { requireBody } from "@/shared/api/require-body";

export const useDrafts = (isAsked: boolean) => query.useQuery("get", "/api/v1/pack-drafts", {}, { enabled: isAsked });
export const useConflicts = (group?: number) =>
  query.useQuery("get", "/api/v1/conflicts", { params: { query: group === undefined ? {} : { group } } });

/** Uploads a zip archive, or the YAML files of one pack. */
export function useUpload() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (files: File[]): Promise<UploadResult> => {
      const [first] = files;
      if (!first) throw new TypeError("no file was chosen");
      if (files.length === 1 && /\.zip$/i.test(first.name)) {
        const response = await api.POST("/api/v1/pack-drafts/archive", {
          params: { query: { source: first.name.slice(0, 200) } },
          body: (await first.arrayBuffer()) as never,
          bodySerializer: (content: unknown) => content as BodyInit,
          headers: { "Content-Type": "application/zip" },
        });
        return requireBody(response.data);
      }
      const texts = await Promise.all(
        files.map(async (file) => ({ path: file.webkitRelativePath || pathOf(file.name), text: await file.text() })),
      );
      const source = first.webkitRelativePath.split("/")[0] || `${files.length} files`;
      return requireBody((await api.POST("/api/v1/pack-drafts/files", { params: { query: { source } }, body: { files: texts } })).data);
    },
    onSuccess: () => client.invalidateQueries({ queryKey: ["get", "/api/v1/pack-drafts"] }),
  });
}

/** Files chosen one by one carry no folder: their names say which they belong to. */
function pathOf(name: string): string {
  if (name === "pack.yaml" || name === "no-rule.yaml") return name;
  return /\.(pass|fail|unknown|not_applicable)\.yaml$/.test(name) ? `cases/${name}` : `rules/${name}`;
}

export function usePublish() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async ({ draft, note }: { draft: Draft; note: string }) =>
      requireBody(
        (await api.POST("/api/v1/pack-drafts/{draft_id}/publish", { params: { path: { draft_id: draft.id } }, body: { note } })).data,
      ),
    onSuccess: () => client.invalidateQueries(),
  });
}

export function useDiscard() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (draft: number) => api.DELETE("/api/v1/pack-drafts/{draft_id}", { params: { path: { draft_id: draft } } }),
    onSuccess: () => client.invalidateQueries({ queryKey: ["get", "/api/v1/pack-drafts"] }),
  });
}

export interface Change {
  group: number;
  what: "version" | "draft" | "off" | "inherit";
  version?: number;
  draft?: number;
  graceDays?: number;
}

export function usePreview(pack: string) {
  return useMutation({
    mutationFn: async ({ group, what, version, draft, graceDays }: Change) =>
      requireBody(
        (
          await api.POST("/api/v1/previews", {
            body: { group_id: group, pack, what, version_id: version, draft_id: draft, in_grace: graceDays !== undefined },
          })
        ).data,
      ),
  });
}

export function useActivate(pack: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async ({ change, reason }: { change: Change; reason: string }) => {
      if (change.what === "draft") throw new TypeError("publish a draft before activating it");
      const until = change.graceDays === undefined ? undefined : new Date(Date.now() + change.graceDays * 86_400_000).toISOString();
      return requireBody(
        (
          await api.POST("/api/v1/packs/{pack}/activations", {
            params: { path: { pack } },
            body: { group_id: change.group, what: change.what, version_id: change.version, grace_until: until, reason },
          })
        ).data,
      );
    },
    // Not waited for: the form is put back at once, and not under the hands of somebody who has begun the next change.
    onSuccess: () => {
      void client.invalidateQueries();
    },
  });
}

export type DecisionStep = "approve" | "refuse" | "withdraw";

export function usePropose() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (decision: { conflict: string; group_id: number; holds: string; reason: string }) =>
      requireBody((await api.POST("/api/v1/conflict-decisions", { body: decision })).data),
    onSuccess: () => client.invalidateQueries({ queryKey: ["get", "/api/v1/conflicts"] }),
  });
}

export function useDecisionStep() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async ({ id, step, reason }: { id: number; step: DecisionStep; reason: string }) => {
      const params = { path: { decision_id: id } };
      const sent = { params, body: { reason } };
      if (step === "approve") return requireBody((await api.POST("/api/v1/conflict-decisions/{decision_id}/approve", sent)).data);
      if (step === "refuse") return requireBody((await api.POST("/api/v1/conflict-decisions/{decision_id}/refuse", sent)).data);
      return requireBody((await api.POST("/api/v1/conflict-decisions/{decision_id}/withdraw", sent)).data);
    },
    onSuccess: () => client.invalidateQueries(),
  });
}
