import { useMutation, useQueryClient } from "@tanstack/react-query";
import { api } from "@/shared/api/client";
import { requireBody } from "@/shared/api/require-body";
import type { Schemas } from "@/shared/api/schemas";
import type { TicketAbout } from "./types";

/** The text that a ticket would begin with, and where it can be sent. Nothing is sent. */
export const usePreviewTicket = () =>
  useMutation({
    mutationFn: async (body: TicketAbout) => requireBody((await api.POST("/api/v1/tickets/preview", { body })).data),
  });

/** Sends a ticket. What it is about is read again: its number stands there once the ticket system has answered. */
export function useCreateTicket() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (body: Schemas["TicketCreate"]) => requireBody((await api.POST("/api/v1/tickets", { body })).data),
    onSuccess: () => client.invalidateQueries(),
  });
}
