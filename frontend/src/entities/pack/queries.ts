import { useQuery } from "@tanstack/react-query";
import { query } from "@/shared/api/client";

export const usePacks = () => query.useQuery("get", "/api/v1/packs");

export const packQuery = (pack: string) => query.queryOptions("get", "/api/v1/packs/{pack}", { params: { path: { pack } } });
export const usePack = (pack: string) => useQuery(packQuery(pack));
