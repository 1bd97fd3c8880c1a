import { getRouteApi } from "@tanstack/react-router";
import { useCan } from "@/entities/person/queries";
import { BenchmarksPage } from "@/features/proofs/benchmarks-page";

const route = getRouteApi("/benchmarks");

export function BenchmarksRoute() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  return (
    <BenchmarksPage
      // Choices of runs belong to one host.
      key={search.host ?? ""}
      search={search}
      setSearch={(patch, replace = false) => void navigate({ search: (before) => ({ ...before, ...patch }), replace, resetScroll: false })}
      can={useCan()}
    />
  );
}
