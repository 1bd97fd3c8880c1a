import { createRootRoute, createRoute, createRouter, lazyRouteComponent } from "@tanstack/react-router";
import { adminSearch } from "@/features/admin/search";
import { assessmentSearch } from "@/features/assess/search";
import { compareSearch } from "@/features/compare/search";
import { controlsSearch } from "@/features/controls/search";
import { driftSearch } from "@/features/drift/search";
import { hostSearch } from "@/features/host/search";
import { hostsSearch } from "@/features/hosts/search";
import { jobSearch, jobsSearch } from "@/features/jobs/search";
import { matrixSearch } from "@/features/matrix/search";
import { onCallSearch } from "@/features/oncall/search";
import { overviewSearch, scoreSearch } from "@/features/overview/search";
import { decisionsSearch, packSearch, packsSearch } from "@/features/packs/search";
import { performanceSearch } from "@/features/performance/search";
import { planSearch, plansSearch } from "@/features/plans/search";
import { hostPastSearch, pastSearch } from "@/features/previews/search";
import { benchmarksSearch } from "@/features/proofs/search";
import { reportSearch, reportsSearch } from "@/features/reports/search";
import { ruleSearch, rulesSearch } from "@/features/rules/search";
import { askSearch, waiversSearch } from "@/features/waivers/search";
import { parseSearch, stringifySearch } from "@/shared/lib/search";
import { Failed, LoadingSkeleton } from "@/shared/ui/query-panel";
import { Layout } from "./layout/layout";
import { UnknownAddress } from "./unknown-address";

const root = createRootRoute({ component: Layout, notFoundComponent: UnknownAddress });

const overview = createRoute({
  getParentRoute: () => root,
  path: "/",
  validateSearch: overviewSearch,
  component: lazyRouteComponent(() => import("./routes/overview"), "OverviewRoute"),
});
const hosts = createRoute({
  getParentRoute: () => root,
  path: "/hosts",
  validateSearch: hostsSearch,
  component: lazyRouteComponent(() => import("./routes/hosts"), "HostsRoute"),
});
const host = createRoute({
  getParentRoute: () => root,
  path: "/hosts/$hostId",
  validateSearch: hostSearch,
  component: lazyRouteComponent(() => import("./routes/host"), "HostRoute"),
});
const rules = createRoute({
  getParentRoute: () => root,
  path: "/rules",
  validateSearch: rulesSearch,
  component: lazyRouteComponent(() => import("./routes/rules"), "RulesRoute"),
});
const rule = createRoute({
  getParentRoute: () => root,
  path: "/rules/$pack/$rule",
  validateSearch: ruleSearch,
  component: lazyRouteComponent(() => import("./routes/rule"), "RuleRoute"),
});
const plans = createRoute({
  getParentRoute: () => root,
  path: "/remediate",
  validateSearch: plansSearch,
  component: lazyRouteComponent(() => import("./routes/plans"), "PlansRoute"),
});
const plan = createRoute({
  getParentRoute: () => root,
  path: "/remediate/$planId",
  validateSearch: planSearch,
  component: lazyRouteComponent(() => import("./routes/plan"), "PlanRoute"),
});
const jobs = createRoute({
  getParentRoute: () => root,
  path: "/jobs",
  validateSearch: jobsSearch,
  component: lazyRouteComponent(() => import("./routes/jobs"), "JobsRoute"),
});
const job = createRoute({
  getParentRoute: () => root,
  path: "/jobs/$jobId",
  validateSearch: jobSearch,
  component: lazyRouteComponent(() => import("./routes/job"), "JobRoute"),
});
const safety = createRoute({
  getParentRoute: () => root,
  path: "/safety",
  validateSearch: controlsSearch,
  component: lazyRouteComponent(() => import("./routes/controls"), "ControlsRoute"),
});
const onCall = createRoute({
  getParentRoute: () => root,
  path: "/on-call",
  validateSearch: onCallSearch,
  component: lazyRouteComponent(() => import("./routes/on-call"), "OnCallRoute"),
});
const matrix = createRoute({
  getParentRoute: () => root,
  path: "/matrix",
  validateSearch: matrixSearch,
  component: lazyRouteComponent(() => import("./routes/matrix"), "MatrixRoute"),
});
const drift = createRoute({
  getParentRoute: () => root,
  path: "/drift",
  validateSearch: driftSearch,
  component: lazyRouteComponent(() => import("./routes/drift"), "DriftRoute"),
});
const performance = createRoute({
  getParentRoute: () => root,
  path: "/performance",
  validateSearch: performanceSearch,
  component: lazyRouteComponent(() => import("./routes/performance"), "PerformanceRoute"),
});
const switches = createRoute({
  getParentRoute: () => root,
  path: "/switches",
  component: lazyRouteComponent(() => import("./routes/switches"), "SwitchesRoute"),
});
const switchRoute = createRoute({
  getParentRoute: () => root,
  path: "/switches/$switchId",
  component: lazyRouteComponent(() => import("./routes/switch"), "SwitchRoute"),
});
const score = createRoute({
  getParentRoute: () => root,
  path: "/score",
  validateSearch: scoreSearch,
  component: lazyRouteComponent(() => import("./routes/score"), "ScoreRoute"),
});
const waivers = createRoute({
  getParentRoute: () => root,
  path: "/waivers",
  validateSearch: waiversSearch,
  component: lazyRouteComponent(() => import("./routes/waivers"), "WaiversRoute"),
});
const waiverNew = createRoute({
  getParentRoute: () => root,
  path: "/waivers/new",
  validateSearch: askSearch,
  component: lazyRouteComponent(() => import("./routes/waiver-new"), "WaiverNewRoute"),
});
const waiver = createRoute({
  getParentRoute: () => root,
  path: "/waivers/$waiverId",
  component: lazyRouteComponent(() => import("./routes/waiver"), "WaiverRoute"),
});
const compare = createRoute({
  getParentRoute: () => root,
  path: "/hosts/$hostId/compare",
  validateSearch: compareSearch,
  component: lazyRouteComponent(() => import("./routes/compare"), "CompareRoute"),
});
const hostPast = createRoute({
  getParentRoute: () => root,
  path: "/hosts/$hostId/past",
  validateSearch: hostPastSearch,
  component: lazyRouteComponent(() => import("./routes/host-past"), "HostPastRoute"),
});
const packs = createRoute({
  getParentRoute: () => root,
  path: "/packs",
  validateSearch: packsSearch,
  component: lazyRouteComponent(() => import("./routes/packs"), "PacksRoute"),
});
const pack = createRoute({
  getParentRoute: () => root,
  path: "/packs/$pack",
  validateSearch: packSearch,
  component: lazyRouteComponent(() => import("./routes/pack"), "PackRoute"),
});
const decisions = createRoute({
  getParentRoute: () => root,
  path: "/decisions",
  validateSearch: decisionsSearch,
  component: lazyRouteComponent(() => import("./routes/decisions"), "DecisionsRoute"),
});
const past = createRoute({
  getParentRoute: () => root,
  path: "/past",
  validateSearch: pastSearch,
  component: lazyRouteComponent(() => import("./routes/past"), "PastRoute"),
});
const benchmarks = createRoute({
  getParentRoute: () => root,
  path: "/benchmarks",
  validateSearch: benchmarksSearch,
  component: lazyRouteComponent(() => import("./routes/benchmarks"), "BenchmarksRoute"),
});
const proof = createRoute({
  getParentRoute: () => root,
  path: "/proofs/$proofId",
  component: lazyRouteComponent(() => import("./routes/proof"), "ProofRoute"),
});
const reports = createRoute({
  getParentRoute: () => root,
  path: "/reports",
  validateSearch: reportsSearch,
  component: lazyRouteComponent(() => import("./routes/reports"), "ReportsRoute"),
});
const report = createRoute({
  getParentRoute: () => root,
  path: "/reports/$reportId",
  validateSearch: reportSearch,
  component: lazyRouteComponent(() => import("./routes/report"), "ReportRoute"),
});
const assess = createRoute({
  getParentRoute: () => root,
  path: "/assess",
  component: lazyRouteComponent(() => import("./routes/assess"), "AssessRoute"),
});
const assessment = createRoute({
  getParentRoute: () => root,
  path: "/assess/$assessmentId",
  validateSearch: assessmentSearch,
  component: lazyRouteComponent(() => import("./routes/assessment"), "AssessmentRoute"),
});
const enrol = createRoute({
  getParentRoute: () => root,
  path: "/enrol",
  component: lazyRouteComponent(() => import("./routes/enrol"), "EnrolRoute"),
});
const apiReference = createRoute({
  getParentRoute: () => root,
  path: "/api-reference",
  component: lazyRouteComponent(() => import("./routes/api-reference"), "ApiReferenceRoute"),
});
const admin = createRoute({
  getParentRoute: () => root,
  path: "/admin",
  validateSearch: adminSearch,
  component: lazyRouteComponent(() => import("./routes/admin"), "AdminRoute"),
});
const account = createRoute({
  getParentRoute: () => root,
  path: "/account",
  component: lazyRouteComponent(() => import("./routes/account"), "AccountRoute"),
});

export const router = createRouter({
  routeTree: root.addChildren([
    overview,
    hosts,
    host,
    matrix,
    drift,
    performance,
    switches,
    switchRoute,
    score,
    waivers,
    waiverNew,
    waiver,
    rules,
    rule,
    plans,
    plan,
    safety,
    onCall,
    jobs,
    job,
    benchmarks,
    proof,
    reports,
    report,
    assess,
    assessment,
    enrol,
    admin,
    apiReference,
    account,
    compare,
    hostPast,
    packs,
    pack,
    decisions,
    past,
  ]),
  parseSearch,
  stringifySearch,
  defaultPreload: "intent",
  defaultPendingMs: 300,
  defaultPendingComponent: () => <LoadingSkeleton height={320} lines={8} />,
  // A page whose code cannot be fetched is most often one of an older version: loading anew brings the present one.
  defaultErrorComponent: ({ error }) => <Failed error={error} retry={() => window.location.reload()} />,
  scrollRestoration: true,
});

declare module "@tanstack/react-router" {
  interface Register {
    router: typeof router;
  }
}
