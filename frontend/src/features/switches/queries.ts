import { query } from "@/shared/api/client";

export const useSwitches = () => query.useQuery("get", "/api/v1/switches", {}, { refetchInterval: 60_000 });

export const useSwitch = (id: string) =>
  query.useQuery("get", "/api/v1/switches/{switch_id}", { params: { path: { switch_id: id } } }, { refetchInterval: 60_000 });
