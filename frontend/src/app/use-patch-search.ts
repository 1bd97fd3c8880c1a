import { useCallback } from "react";
import type { PatchSearch } from "@/shared/lib/patch-search";

type Navigate<Search> = (options: { search: (before: Search) => Search; replace: boolean; resetScroll: boolean }) => Promise<void>;

/** What a page changes its address with: the same function from one drawing to the next, so that parts need not be drawn again. */
export function usePatchSearch<Search>(navigate: Navigate<Search>, resetScroll = false): PatchSearch<Search> {
  return useCallback(
    (patch, replace = false) => void navigate({ search: (before) => ({ ...before, ...patch }), replace, resetScroll }),
    [navigate, resetScroll],
  );
}
