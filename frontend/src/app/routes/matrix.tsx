import { getRouteApi } from "@tanstack/react-router";
import { MatrixPage } from "@/features/matrix/matrix-page";

const route = getRouteApi("/matrix");

export function MatrixRoute() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  return (
    <MatrixPage
      search={search}
      setSearch={(patch, replace = false) => void navigate({ search: (before) => ({ ...before, ...patch }), replace, resetScroll: false })}
    />
  );
}
