import { api } from "@/shared/api/client";
import { ApiProblem } from "@/shared/api/problem";
import type { AssessmentRow } from "./types";

/** Bytes of one part. The server takes at most 1,000,000 in one request. */
export const PART_BYTES = 1_000_000;
const TRIES = 5;
const WAIT_MS = 1500;

const octets = { "Content-Type": "application/octet-stream" };

/** Which byte comes next, and of which part. */
export function nextPart(size: number, sent: number): { from: number; to: number } | null {
  return sent < size ? { from: sent, to: Math.min(sent + PART_BYTES, size) } : null;
}

/**
 * Sends a bundle part by part and tells how far it is. After a broken connection it asks how much arrived, and goes on from there.
 * A signal that is aborted ends it without an error being shown.
 */
export async function uploadBundle(file: File, progress: (id: number, sent: number) => void, signal: AbortSignal): Promise<number> {
  const begun = await api.POST("/api/v1/assessments", { body: { name: file.name, size_bytes: file.size }, signal });
  const id = begun.data?.id;
  if (id === undefined) throw new Error("the server did not say which assessment it is");
  let sent = 0;
  let failures = 0;
  progress(id, sent);
  for (let part = nextPart(file.size, sent); part; part = nextPart(file.size, sent)) {
    try {
      const answer = await putPart(id, part.from, file.slice(part.from, part.to), signal);
      sent = answer?.received_bytes ?? part.to;
      failures = 0;
    } catch (error) {
      const problem = ApiProblem.of(error);
      failures += 1;
      if (signal.aborted || failures > TRIES || (problem.status !== 0 && problem.status < 500 && problem.status !== 409)) throw error;
      await new Promise((resolve) => setTimeout(resolve, WAIT_MS));
      const { data } = await api.GET("/api/v1/assessments/{assessment_id}", { params: { path: { assessment_id: id } }, signal });
      if (data && data.state !== "receiving") return id;
      sent = data?.received_bytes ?? sent;
    }
    progress(id, sent);
  }
  return id;
}

async function putPart(id: number, offset: number, content: Blob, signal: AbortSignal): Promise<AssessmentRow | undefined> {
  const { data } = await api.PUT("/api/v1/assessments/{assessment_id}/content", {
    params: { path: { assessment_id: id }, query: { offset } },
    body: content as never,
    bodySerializer: () => content,
    headers: octets,
    signal,
  });
  return data;
}
