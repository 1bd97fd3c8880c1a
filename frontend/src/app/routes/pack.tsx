import { getRouteApi } from "@tanstack/react-router";
import { useCan } from "@/entities/person/queries";
import { PackPage } from "@/features/packs/pack-page";
import { PreviewReport } from "@/features/previews/preview-report";

const route = getRouteApi("/packs/$pack");

export function PackRoute() {
  const { pack } = route.useParams();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  return (
    <PackPage
      pack={pack}
      search={search}
      can={useCan()}
      drawPreview={(run) => <PreviewReport run={run} />}
      setSearch={(patch, replace = false) => void navigate({ search: (before) => ({ ...before, ...patch }), replace, resetScroll: false })}
    />
  );
}
