import { api, query, sessionKey } from "@/shared/api/client";
import type { Schemas } from "@/shared/api/schemas";
import { useChange } from "@/shared/api/use-change";

export type OwnSession = Schemas["OwnSession"];

const ownSessionsKey = ["get", "/api/v1/session/all"] as const;

export const useOwnSessions = () => query.useQuery("get", "/api/v1/session/all");

export const useSetOwnPassword = () =>
  useChange((body: Schemas["PasswordChange"]) => api.POST("/api/v1/session/password", { body }), ownSessionsKey, sessionKey);

export const useEndSession = (key: string) =>
  useChange(() => api.DELETE("/api/v1/session/all/{key}", { params: { path: { key } } }), ownSessionsKey);

export const useEndOtherSessions = () => useChange(() => api.POST("/api/v1/session/end-others"), ownSessionsKey);
