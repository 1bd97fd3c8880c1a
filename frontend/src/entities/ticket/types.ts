import type { Schemas } from "@/shared/api/schemas";

export type Ticket = Schemas["TicketOut"];
export type TicketAbout = Schemas["TicketAbout"];
