import { query } from "@/shared/api/client";

/** The fleet, or one group of it, within the last days; the whole fleet within a week where nothing is chosen. */
export const useOverview = (chosen: { group?: number | undefined; days?: number } = {}) =>
  query.useQuery("get", "/api/v1/overview", { params: { query: chosen } });
