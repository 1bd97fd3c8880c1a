import { api, query } from "@/shared/api/client";
import { requireBody } from "@/shared/api/require-body";
import type { Schemas } from "@/shared/api/schemas";
import { useChange } from "@/shared/api/use-change";

const tokensKey = ["get", "/api/v1/enrolment/tokens"] as const;

export const useTokens = () => query.useQuery("get", "/api/v1/enrolment/tokens");

export const useCreateToken = () =>
  useChange(
    async (body: Schemas["EnrolmentTokenCreate"]) => requireBody((await api.POST("/api/v1/enrolment/tokens", { body })).data),
    tokensKey,
  );

export const useRevokeToken = (token_id: number) =>
  useChange(() => api.DELETE("/api/v1/enrolment/tokens/{token_id}", { params: { path: { token_id } } }), tokensKey);
