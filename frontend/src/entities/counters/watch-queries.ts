import { keepPreviousData, useQueryClient } from "@tanstack/react-query";
import { query } from "@/shared/api/client";

const WATCHES = "/api/v1/hosts/{host_id}/watches";
const OPEN_MS = 2_000;
/** How often a host is read, and so how often charts of a watch are read again. */
const READING_MS = 5_000;

/** The newest watches of a host; read often while one of them is not over, seldom otherwise, since another person may start one. */
export const useHostWatches = (hostId: string) =>
  query.useQuery(
    "get",
    WATCHES,
    { params: { path: { host_id: hostId } } },
    { refetchInterval: ({ state }) => (state.data?.watches.some((one) => one.state !== "ended") ? OPEN_MS : 30_000) },
  );

export const useWatchCharts = (watchId: number, series: string[], isOver: boolean) =>
  query.useQuery(
    "get",
    "/api/v1/watches/{watch_id}/charts",
    { params: { path: { watch_id: watchId }, query: { series } } },
    { placeholderData: keepPreviousData, refetchInterval: isOver ? false : READING_MS },
  );

/** What every act on a watch makes out of date. */
function useForget() {
  const client = useQueryClient();
  return { onSuccess: () => client.invalidateQueries({ queryKey: ["get", WATCHES] }) };
}

export const useStartWatch = () => query.useMutation("post", WATCHES, useForget());

export const useStopWatch = () => query.useMutation("post", "/api/v1/watches/{watch_id}/stop", useForget());
