import { getRouteApi } from "@tanstack/react-router";
import { useCan } from "@/entities/person/queries";
import { BenchmarksPage } from "@/features/proofs/benchmarks-page";
import { usePatchSearch } from "../use-patch-search";

const route = getRouteApi("/benchmarks");

export function BenchmarksRoute() {
  const search = route.useSearch();
  const setSearch = usePatchSearch(route.useNavigate());
  return (
    <BenchmarksPage
      // Choices of runs belong to one host.
      key={search.host ?? ""}
      search={search}
      setSearch={setSearch}
      can={useCan()}
    />
  );
}
