import type { Schemas } from "@/shared/api/schemas";

export type SignInProvider = Schemas["ProviderOut"];
export type AuditRow = Schemas["AuditRow"];
export type GroupGrant = Schemas["GroupGrant"];
export type ApiToken = Schemas["TokenRow"];
export type FabricImportResult = Schemas["FabricImport"];
export type NoticeChannels = Schemas["ChannelList"];
export type NoticeChannel = Schemas["ChannelOut"];
export type NoticeKind = Schemas["KindOut"]["kind"];
export type Notice = Schemas["NoticeOut"];
export type NoticeDelivery = Schemas["DeliveryOut"];
