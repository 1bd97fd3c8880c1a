import { getRouteApi } from "@tanstack/react-router";
import { useCan } from "@/entities/person/queries";
import { RulePage } from "@/features/rules/rule-page";
import { usePatchSearch } from "../use-patch-search";

const route = getRouteApi("/rules/$pack/$rule");

export function RuleRoute() {
  const { pack, rule } = route.useParams();
  const search = route.useSearch();
  const setSearch = usePatchSearch(route.useNavigate());
  const can = useCan();
  return <RulePage pack={pack} rule={rule} search={search} setSearch={setSearch} canPlan={can.draft_plans ?? false} />;
}
