import { keepPreviousData, useMutation, useQueryClient } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { api, query } from "@/shared/api/client";
import { ApiProblem } from "@/shared/api/problem";
import type { JoinedHost } from "./types";
import { uploadBundle } from "./upload";

const LIST = ["get", "/api/v1/assessments"] as const;
const isRunning = (state: string | undefined) => state === "receiving" || state === "reading";

export const useAssessments = () =>
  query.useQuery(
    "get",
    "/api/v1/assessments",
    {},
    { refetchInterval: ({ state }) => (state.data?.some((one) => one.state === "reading") ? 1000 : false) },
  );

/** At most `limit` hosts of it, whose names have `named` in them. What is shown stays until more has come. */
export const useAssessment = (assessment_id: number, limit: number, named: string) =>
  query.useQuery(
    "get",
    "/api/v1/assessments/{assessment_id}",
    { params: { path: { assessment_id }, query: { limit, named: named || undefined } } },
    { refetchInterval: ({ state }) => (isRunning(state.data?.state) ? 1000 : false), placeholderData: keepPreviousData },
  );

export const useAssessedHost = (assessment_id: number, assessed_id: number | undefined) =>
  query.useQuery(
    "get",
    "/api/v1/assessments/{assessment_id}/hosts/{assessed_id}",
    { params: { path: { assessment_id, assessed_id: assessed_id ?? 0 } } },
    { enabled: assessed_id !== undefined },
  );

export const usePlanPreview = (assessment_id: number, assessed_id: number, enabled: boolean) =>
  query.useQuery(
    "get",
    "/api/v1/assessments/{assessment_id}/hosts/{assessed_id}/plan-preview",
    { params: { path: { assessment_id, assessed_id } } },
    { enabled },
  );

export function useDeleteAssessment() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (assessment_id: number) => api.DELETE("/api/v1/assessments/{assessment_id}", { params: { path: { assessment_id } } }),
    onSuccess: () => client.invalidateQueries({ queryKey: LIST }),
  });
}

/** Hosts that are added in one request: each is evaluated as it is added. */
const AT_ONCE = 20;

/** Adds these hosts of the assessment, or all of them, some at a time. */
export function useJoinFleet(assessment_id: number) {
  const client = useQueryClient();
  const [progress, setProgress] = useState<{ done: number; of: number } | null>(null);
  const params = { path: { assessment_id } };
  const mutation = useMutation({
    mutationFn: async ({ group, hosts, withUnsure }: { group: number; hosts: number[] | null; withUnsure: boolean }) => {
      const all = hosts ?? (await allHosts(assessment_id));
      const done: JoinedHost[] = [];
      for (let at = 0; at < all.length; at += AT_ONCE) {
        if (all.length > AT_ONCE) setProgress({ done: at, of: all.length });
        const body = { group_id: group, assessed_ids: all.slice(at, at + AT_ONCE), with_unsure: withUnsure };
        const { data } = await api.POST("/api/v1/assessments/{assessment_id}/join", { params, body });
        done.push(...(data ?? []));
      }
      return done;
    },
    onSettled: () => {
      setProgress(null);
      return client.invalidateQueries();
    },
  });
  return { mutateAsync: mutation.mutateAsync, progress };
}

async function allHosts(assessment_id: number): Promise<number[]> {
  const params = { path: { assessment_id }, query: { limit: 2000 } };
  const { data } = await api.GET("/api/v1/assessments/{assessment_id}", { params });
  return (data?.hosts ?? []).map((one) => one.id);
}

/** One bundle on its way from this browser. */
export interface Upload {
  key: number;
  name: string;
  size: number;
  sent: number;
  id: number | null;
  error: unknown;
}

/** Uploads of this page, several at once; each can be cancelled. What is done leaves the list and stands among the assessments. */
export function useUploads() {
  const client = useQueryClient();
  const [uploads, setUploads] = useState<readonly Upload[]>([]);
  const running = useRef(new Map<number, AbortController>());
  const last = useRef(0);

  const change = (key: number, patch: Partial<Upload>) =>
    setUploads((all) => all.map((one) => (one.key === key ? { ...one, ...patch } : one)));
  const remove = (key: number) => setUploads((all) => all.filter((one) => one.key !== key));

  const start = (files: readonly File[]) => {
    for (const file of files) {
      const key = ++last.current;
      const control = new AbortController();
      running.current.set(key, control);
      const error = file.size === 0 ? new Error(`${file.name} is empty: choose the bundle again`) : null;
      setUploads((all) => [...all, { key, name: file.name, size: file.size, sent: 0, id: null, error }]);
      if (error) continue;
      uploadBundle(file, (id, sent) => change(key, { id, sent }), control.signal)
        .then(() => remove(key))
        .catch((problem: unknown) => (control.signal.aborted ? remove(key) : change(key, { error: ApiProblem.of(problem) })))
        .finally(() => {
          running.current.delete(key);
          void client.invalidateQueries({ queryKey: LIST });
        });
    }
  };
  const cancel = async (upload: Upload) => {
    running.current.get(upload.key)?.abort();
    remove(upload.key);
    if (upload.id !== null) {
      await api.DELETE("/api/v1/assessments/{assessment_id}", { params: { path: { assessment_id: upload.id } } }).catch(() => undefined);
      void client.invalidateQueries({ queryKey: LIST });
    }
  };
  return { uploads, start, cancel };
}
