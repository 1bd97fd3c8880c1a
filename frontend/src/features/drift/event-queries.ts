import { keepPreviousData, useMutation, useQueryClient } from "@tanstack/react-query";
import { api, query } from "@/shared/api/client";

interface EventScope {
  /** The group whose hosts are shown, if not all. */
  group?: number | undefined;
  /** Whether settings that only could not be read belong to it. */
  unread?: boolean | undefined;
}

const TICKET_MS = 3000;

/** One event with every change, and what may be done about it. */
export const useEvent = (eventId: string, { group, unread }: EventScope) =>
  query.useQuery(
    "get",
    "/api/v1/drift/events/{event_id}",
    { params: { path: { event_id: Number(eventId) }, query: { group, unread: unread || undefined } } },
    // Read again while a ticket is sent, until its number is there.
    { refetchInterval: ({ state }) => (state.data?.event.tickets.some((ticket) => ticket.state === "waiting") ? TICKET_MS : false) },
  );

/** Several events, each with every change. Those that no longer exist are left out. */
export const useEvents = (eventIds: readonly string[], { group, unread }: EventScope) =>
  query.useQuery(
    "get",
    "/api/v1/drift/events",
    { params: { query: { event: eventIds.map(Number), group, unread: unread || undefined } } },
    { enabled: eventIds.length > 0, placeholderData: keepPreviousData },
  );

/** Marks changes as expected. The drift page is read again. */
export function useMarkChanges() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: { change_ids: number[]; reason: string; ticket: string }) => api.POST("/api/v1/drift/marks", { body }),
    onSuccess: () => client.invalidateQueries(),
  });
}

/** Ends marks: their changes count as unexpected again. */
export function useEndMarks() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (markIds: readonly number[]) => {
      for (const mark_id of markIds) await api.POST("/api/v1/drift/marks/{mark_id}/end", { params: { path: { mark_id } } });
    },
    // Also after a failure, since some of them may have ended.
    onSettled: () => client.invalidateQueries(),
  });
}
