import { query } from "@/shared/api/client";

/** How often a run at work is read again. */
const REREAD_MS = 1_500;

/** One run; asked again while it is at work. */
export const usePreviewRun = (run: number | undefined) =>
  query.useQuery(
    "get",
    "/api/v1/judging-runs/{run_id}",
    { params: { path: { run_id: run ?? 0 } } },
    {
      enabled: run !== undefined,
      refetchInterval: ({ state }) => (state.data && ["ready", "failed"].includes(state.data.state) ? false : REREAD_MS),
    },
  );
