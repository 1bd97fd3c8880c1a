import { useMutation } from "@tanstack/react-query";
import { api, query, sessionKey } from "@/shared/api/client";
import { requireBody } from "@/shared/api/require-body";
import type { Schemas } from "@/shared/api/schemas";
import { useChange } from "@/shared/api/use-change";

export type OwnSession = Schemas["OwnSession"];

export type SecondFactor = Schemas["FactorRow"];
export type BegunFactor = Schemas["FactorBegun"];

const secondFactorsKey = ["get", "/api/v1/session/second-factors"] as const;
const ownSessionsKey = ["get", "/api/v1/session/all"] as const;

export const useOwnSessions = () => query.useQuery("get", "/api/v1/session/all");

export const useSetOwnPassword = () =>
  useChange((body: Schemas["PasswordChange"]) => api.POST("/api/v1/session/password", { body }), ownSessionsKey, sessionKey);

export const useEndSession = (key: string) =>
  useChange(() => api.DELETE("/api/v1/session/all/{key}", { params: { path: { key } } }), ownSessionsKey);

export const useEndOtherSessions = () => useChange(() => api.POST("/api/v1/session/end-others"), ownSessionsKey);

export const useSecondFactors = () => query.useQuery("get", "/api/v1/session/second-factors");

export const useBeginFactor = () =>
  useMutation({
    mutationFn: async (body: Schemas["FactorBegin"]) =>
      requireBody((await api.POST("/api/v1/session/second-factors/begin", { body })).data),
  });

export const useAddFactor = () =>
  useChange(
    async (body: Schemas["FactorCreate"]) => requireBody((await api.POST("/api/v1/session/second-factors", { body })).data),
    secondFactorsKey,
    ownSessionsKey,
    sessionKey,
  );

export const useRemoveFactor = (factor_id: number) =>
  useChange(
    (password: string) =>
      api.POST("/api/v1/session/second-factors/{factor_id}/remove", { params: { path: { factor_id } }, body: { password } }),
    secondFactorsKey,
    sessionKey,
  );

export const useMakeRecoveryCodes = () =>
  useChange(
    async (password: string) => requireBody((await api.POST("/api/v1/session/recovery-codes", { body: { password } })).data),
    secondFactorsKey,
  );
