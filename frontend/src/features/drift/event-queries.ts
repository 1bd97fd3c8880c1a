import { useMutation, useQueryClient } from "@tanstack/react-query";
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

/** Marks changes as expected. The drift page is read again. */
export function useMarkChanges() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: { change_ids: number[]; reason: string; ticket: string }) => api.POST("/api/v1/drift/marks", { body }),
    onSuccess: () => client.invalidateQueries(),
  });
}

/** Ends a mark: its changes count as unexpected again. */
export function useEndMark() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (mark_id: number) => api.POST("/api/v1/drift/marks/{mark_id}/end", { params: { path: { mark_id } } }),
    onSuccess: () => client.invalidateQueries(),
  });
}
