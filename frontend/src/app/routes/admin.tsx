import { getRouteApi } from "@tanstack/react-router";
import { useCan } from "@/entities/person/queries";
import { AdminPage } from "@/features/admin/admin-page";
import { Collection } from "@/features/collection/collection";
import { usePatchSearch } from "../use-patch-search";

const route = getRouteApi("/admin");

export function AdminRoute() {
  const search = route.useSearch();
  const setSearch = usePatchSearch(route.useNavigate(), true);
  return <AdminPage search={search} can={useCan()} collection={<Collection />} setSearch={setSearch} />;
}
