import { screen, within } from "@testing-library/react";
import { expect, it, vi } from "vitest";
import type { OnCallProblem } from "@/entities/problem/types";
import { drawPage } from "@/shared/testing/render";
import { ProblemCard } from "./card";

const HOST = "0a".repeat(16);
const CAUSE = { pack: "site", rule: "site.pause", subject_id: "vmnic4", headline: "Flow control is off on vmnic4" };
const CHANGE = {
  id: 12,
  at: "2026-11-27T06:00:00Z",
  subject: "vmnic4",
  label: "Flow control",
  old: "rx_tx",
  new: "off",
  cause: "driver_update",
  cause_detail: "bnx2x 1.78",
};

const makeProblem = (about: Partial<OnCallProblem> = {}): OnCallProblem =>
  ({
    key: `symptom-${HOST}`,
    kind: "symptom",
    kind_label: "Symptom",
    host: { id: HOST, name: "esx-07" },
    group_name: "PROD-B",
    score: 80,
    paths_healthy: 4,
    paths_total: 4,
    since: "2026-11-27T05:00:00Z",
    words: "Dropped packets 0.011%, limit 0.001%",
    takes_away: "Packets of the SAN are dropped and have to be sent again.",
    alike: 0,
    job_id: null,
    changes: [],
    series: [`${HOST}~adapter/1:drops_received`, `${HOST}~adapter/2:drops_received`],
    causes: [],
    fixes: [],
    no_fix_because: "",
    note: null,
    tickets: [],
    may: [],
    ...about,
  }) as OnCallProblem;

async function opened(problem: OnCallProblem) {
  const asked: string[] = [];
  vi.spyOn(globalThis, "fetch").mockImplementation((sent) => {
    const url = decodeURIComponent((sent as Request).url);
    asked.push(url);
    return Promise.resolve(Response.json(url.endsWith("/watches") ? { may_watch: true, why_not: "", watches: [] } : { series: [] }));
  });
  drawPage(<ProblemCard problem={problem} approversAbout={[]} isOpen toggle={() => undefined} take={() => undefined} />);
  await screen.findByRole("article", { name: "Symptom on esx-07" });
  return asked;
}

it("names the failing rules that could explain a symptom, each with the way to its finding, and the changes below", async () => {
  await opened(makeProblem({ causes: [CAUSE], changes: [CHANGE] }));
  const causes = screen.getByRole("list", { name: "Could explain it" });
  const link = within(causes).getByRole("link", { name: "Flow control is off on vmnic4" });
  expect(decodeURIComponent(link.getAttribute("href") ?? "")).toContain(`/hosts/${HOST}?finding=site/site.pause/vmnic4`);
  expect(causes).not.toHaveTextContent("site.pause");
  const changes = screen.getByRole("list", { name: "Changed in the last 24 hours" });
  expect(changes).toHaveTextContent(/vmnic4 flow control.*off/);
  // Where it can be restored, accepted, marked and sent to a ticket system.
  expect(within(changes).getByRole("link", { name: "View event: vmnic4 flow control" })).toHaveAttribute("href", "/drift?event=12");
});

it("says so where nothing on the host could explain it", async () => {
  await opened(makeProblem());
  expect(screen.getByText("No failing rule and no change of the last 24 hours on this host could explain it.")).toBeVisible();
});

it("leads to the changes where no rule fails", async () => {
  await opened(makeProblem({ changes: [CHANGE] }));
  expect(screen.getByText("No failing rule on this host could explain it. Changed lately:")).toBeVisible();
});

it("explains symptoms alone", async () => {
  await opened(makeProblem({ kind: "worse", causes: [CAUSE] }));
  expect(screen.queryByRole("list", { name: "Could explain it" })).not.toBeInTheDocument();
  expect(screen.queryByText(/could explain it/)).not.toBeInTheDocument();
});

it("offers to watch the counters of the host", async () => {
  await opened(makeProblem());
  expect(await screen.findByRole("button", { name: "Watch counters…" })).toBeEnabled();
});

it("asks for the counters of the symptom", async () => {
  const asked = await opened(makeProblem());
  const charts = asked.find((url) => url.includes("/performance/charts"));
  expect(charts).toContain(`${HOST}~adapter/1:drops_received`);
  expect(charts).toContain(`${HOST}~adapter/2:drops_received`);
  expect(charts).not.toContain("tcp_retransmit_percent");
  expect(await screen.findByText("No counters in the last 24 hours.")).toBeVisible();
});
