import { notifications } from "@mantine/notifications";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { groupsKey } from "@/entities/group/queries";
import type { Role } from "@/entities/person/types";
import { api, query } from "@/shared/api/client";
import { ApiProblem } from "@/shared/api/problem";
import { requireBody } from "@/shared/api/require-body";
import type { Schemas } from "@/shared/api/schemas";
import { useChange } from "@/shared/api/use-change";

const peopleKey = ["get", "/api/v1/people"] as const;
const tokensKey = ["get", "/api/v1/tokens"] as const;
const channelsKey = ["get", "/api/v1/notices/channels"] as const;
const providerKey = ["get", "/api/v1/sign-in/provider"] as const;
const policyKey = ["get", "/api/v1/sign-in/policy"] as const;
const groupGrantsKey = ["get", "/api/v1/sign-in/groups"] as const;
export const noticesKey = ["get", "/api/v1/notices"] as const;

// Groups

export const useCreateGroup = () => useChange((body: Schemas["GroupCreate"]) => api.POST("/api/v1/groups", { body }), groupsKey);

export const useUpdateGroup = (group_id: number) =>
  useChange((body: Schemas["GroupUpdate"]) => api.PATCH("/api/v1/groups/{group_id}", { params: { path: { group_id } }, body }), groupsKey);

// People

export const usePeople = () => query.useQuery("get", "/api/v1/people");

export const useCreatePerson = () => useChange((body: Schemas["PersonCreate"]) => api.POST("/api/v1/people", { body }), peopleKey);

export const useGrantRole = (person_id: number) =>
  useChange(
    ({ role, group_id }: { role: Role; group_id: number }) => api.POST("/api/v1/grants", { body: { person_id, role, group_id } }),
    peopleKey,
  );

export const useSetPassword = (person_id: number) =>
  useMutation({
    mutationFn: (password: string) => api.PATCH("/api/v1/people/{person_id}", { params: { path: { person_id } }, body: { password } }),
  });

/** What is done to a person by one click in the list; a refusal is shown for a moment. */
function usePersonClick<Given>(change: (given: Given) => Promise<unknown>) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: change,
    onSuccess: () => client.invalidateQueries({ queryKey: peopleKey }),
    onError: (error) => notifications.show({ title: "Couldn't save", message: ApiProblem.of(error).message }),
  });
}

export const useDisablePerson = (person_id: number) =>
  usePersonClick((is_disabled: boolean) =>
    api.PATCH("/api/v1/people/{person_id}", { params: { path: { person_id } }, body: { is_disabled } }),
  );

export const useRemoveSecondFactors = (person_id: number) =>
  useChange(() => api.DELETE("/api/v1/people/{person_id}/second-factors", { params: { path: { person_id } } }), peopleKey);

export const useWithdrawGrant = () =>
  usePersonClick((grant_id: number) => api.DELETE("/api/v1/grants/{grant_id}", { params: { path: { grant_id } } }));

// API tokens

export const useApiTokens = () => query.useQuery("get", "/api/v1/tokens");

export const useCreateApiToken = () =>
  useChange(async (body: Schemas["TokenCreate"]) => requireBody((await api.POST("/api/v1/tokens", { body })).data), tokensKey);

export const useRevokeApiToken = (token_id: number) =>
  useChange(() => api.DELETE("/api/v1/tokens/{token_id}", { params: { path: { token_id } } }), tokensKey);

// Sign-in at an identity provider

export const useSignInProvider = () => query.useQuery("get", "/api/v1/sign-in/provider");

export const useSaveSignInProvider = () =>
  useChange((body: Schemas["ProviderSet"]) => api.PUT("/api/v1/sign-in/provider", { body }), providerKey);

/** Asks the provider now, and says what was found. */
export const useTrySignInProvider = () =>
  useMutation({ mutationFn: async () => requireBody((await api.POST("/api/v1/sign-in/provider/try")).data) });

export const useGroupGrants = () => query.useQuery("get", "/api/v1/sign-in/groups");

export const useCreateGroupGrant = () =>
  useChange((body: Schemas["GroupGrantCreate"]) => api.POST("/api/v1/sign-in/groups", { body }), groupGrantsKey);

export const useWithdrawGroupGrant = () =>
  useChange((grant_id: number) => api.DELETE("/api/v1/grants/{grant_id}", { params: { path: { grant_id } } }), groupGrantsKey);

// Notices

const channelPath = (channel_id: number) => ({ params: { path: { channel_id } } });

export const useChannels = () => query.useQuery("get", "/api/v1/notices/channels", {}, { refetchInterval: 15_000 });

export const useCreateChannel = () =>
  useChange(
    async (body: Schemas["ChannelCreate"]) => requireBody((await api.POST("/api/v1/notices/channels", { body })).data),
    channelsKey,
  );

export const useUpdateChannel = (id: number) =>
  useChange(
    (body: Schemas["ChannelUpdate"]) => api.PATCH("/api/v1/notices/channels/{channel_id}", { ...channelPath(id), body }),
    channelsKey,
  );

export const useRemoveChannel = (id: number) =>
  useChange(() => api.DELETE("/api/v1/notices/channels/{channel_id}", channelPath(id)), channelsKey);

/** Makes a new secret for a webhook; the one in use signs for a day more, or ends at once. */
export const useRotateSecret = (id: number) =>
  useChange(
    async (keeps_old: boolean) =>
      requireBody((await api.POST("/api/v1/notices/channels/{channel_id}/secret", { ...channelPath(id), body: { keeps_old } })).data),
    channelsKey,
  );

/** Sends a test the same way as every notice, and follows it until its delivery is over. */
export function useTestChannel(id: number) {
  const client = useQueryClient();
  const test = useChange(
    async () => requireBody((await api.POST("/api/v1/notices/channels/{channel_id}/test", channelPath(id))).data),
    noticesKey,
  );
  const notice = query.useQuery(
    "get",
    "/api/v1/notices/{notice_id}",
    { params: { path: { notice_id: test.data?.id ?? 0 } } },
    {
      enabled: test.data !== undefined,
      refetchInterval: (read) => {
        const isOver = read.state.data?.deliveries.every((each) => each.state !== "waiting") ?? false;
        if (isOver) {
          void client.invalidateQueries({ queryKey: channelsKey });
          void client.invalidateQueries({ queryKey: noticesKey });
        }
        return isOver ? false : 1000;
      },
    },
  );
  return { test, delivery: (notice.data ?? test.data)?.deliveries[0] };
}

// Rules for signing in

export const useSignInPolicy = () => query.useQuery("get", "/api/v1/sign-in/policy");

export const useSetSignInPolicy = () =>
  useChange((is_second_factor_required: boolean) => api.PUT("/api/v1/sign-in/policy", { body: { is_second_factor_required } }), policyKey);
