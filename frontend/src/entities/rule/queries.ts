import { keepPreviousData } from "@tanstack/react-query";
import { query } from "@/shared/api/client";

/** The rules in force that match, with how many hosts stand where; the last answer stays on screen while a new filter loads. */
export const useRules = (filters: object = {}) =>
  query.useQuery("get", "/api/v1/rules", { params: { query: filters } }, { placeholderData: keepPreviousData });
