import { getRouteApi } from "@tanstack/react-router";
import { useCan } from "@/entities/person/queries";
import { RulePage } from "@/features/rules/rule-page";

const route = getRouteApi("/rules/$pack/$rule");

export function RuleRoute() {
  const { pack, rule } = route.useParams();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const can = useCan();
  return (
    <RulePage
      pack={pack}
      rule={rule}
      search={search}
      setSearch={(patch, replace = false) => void navigate({ search: (before) => ({ ...before, ...patch }), replace, resetScroll: false })}
      canPlan={can.draft_plans ?? false}
    />
  );
}
