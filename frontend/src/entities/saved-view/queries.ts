import { useMutation, useQueryClient } from "@tanstack/react-query";
import { api, query } from "@/shared/api/client";

const viewsKey = ["get", "/api/v1/views"] as const;

/** Named addresses of a list with its filters: this person's own, and those that others share. */
export const useSavedViews = () => query.useQuery("get", "/api/v1/views");

function useViewAct<T>(act: (given: T) => Promise<unknown>) {
  const client = useQueryClient();
  return useMutation({ mutationFn: act, onSuccess: () => client.invalidateQueries({ queryKey: viewsKey }) });
}

export const useSaveView = () =>
  useViewAct((body: { name: string; url: string; is_shared: boolean }) => api.POST("/api/v1/views", { body }));

export const useRemoveView = () =>
  useViewAct((view_id: number) => api.DELETE("/api/v1/views/{view_id}", { params: { path: { view_id } } }));

/** Lets a page open with this view, or no longer. */
export const useSetDefaultView = () =>
  useViewAct(({ view_id, is_default }: { view_id: number; is_default: boolean }) =>
    api.PATCH("/api/v1/views/{view_id}", { params: { path: { view_id } }, body: { is_default } }),
  );
