import { getRouteApi } from "@tanstack/react-router";
import { MatrixPage } from "@/features/matrix/matrix-page";
import { usePatchSearch } from "../use-patch-search";

const route = getRouteApi("/matrix");

export function MatrixRoute() {
  const search = route.useSearch();
  const setSearch = usePatchSearch(route.useNavigate());
  return <MatrixPage search={search} setSearch={setSearch} />;
}
