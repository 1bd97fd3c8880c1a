import { getRouteApi } from "@tanstack/react-router";
import { useCan } from "@/entities/person/queries";
import { AdminPage } from "@/features/admin/admin-page";
import { Collection } from "@/features/collection/collection";

const route = getRouteApi("/admin");

export function AdminRoute() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  return (
    <AdminPage
      search={search}
      can={useCan()}
      collection={<Collection />}
      setSearch={(patch, replace = false) => void navigate({ search: (before) => ({ ...before, ...patch }), replace })}
    />
  );
}
