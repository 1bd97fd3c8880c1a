import { getRouteApi } from "@tanstack/react-router";
import { useCan } from "@/entities/person/queries";
import { PackPage } from "@/features/packs/pack-page";
import { PreviewReport } from "@/features/previews/preview-report";
import { usePatchSearch } from "../use-patch-search";

const route = getRouteApi("/packs/$pack");

export function PackRoute() {
  const { pack } = route.useParams();
  const search = route.useSearch();
  const setSearch = usePatchSearch(route.useNavigate());
  return <PackPage pack={pack} search={search} can={useCan()} drawPreview={(run) => <PreviewReport run={run} />} setSearch={setSearch} />;
}
