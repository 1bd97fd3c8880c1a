import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it } from "vitest";
import { drawPage } from "@/shared/testing/render";
import { FindingEntry } from "./finding";
import { groupFindings, isUnanswered } from "./finding-groups";
import { fixable, planOf } from "./plan-fix";
import { makeFinding } from "./testing";

async function drawn(finding: ReturnType<typeof makeFinding>, isTarget = false) {
  const [group] = groupFindings([finding]);
  if (!group) throw new Error("one finding makes one group");
  drawPage(<FindingEntry group={group} isTarget={isTarget} hostId="0" />);
  return screen.findByRole("article");
}

const manual = {
  reason: "Toolkit is missing",
  observed: "none",
  manual: ["Install the toolkit."],
  manual_because: "it is software of the vendor",
};

it("is one line that opens, with the steps apart from why no plan takes them", async () => {
  await drawn(makeFinding(manual));
  expect(screen.queryByText("Install the toolkit.")).not.toBeInTheDocument();
  await userEvent.click(screen.getByRole("button", { name: /Flow control/ }));
  expect(screen.getByText("Install the toolkit.").tagName).toBe("LI");
  expect(screen.getByText("Not automated: it is software of the vendor")).toBeInTheDocument();
  expect(screen.queryByText(/Manual fix: it is software/)).not.toBeInTheDocument();
});

it("is open where a link points at it, and says no fix where there is nothing to do", async () => {
  await drawn(makeFinding({ standing: "advice", manual: ["Nothing to do: both values are fine."], manual_because: "no difference" }), true);
  expect(screen.getByText("Observed")).toBeInTheDocument();
  expect(screen.queryByText(/Nothing to do|Not automated/)).not.toBeInTheDocument();
});

it("plans only what fails and has a fix, with a reason that names it", () => {
  const fix = [{ setting: "adapter.flow_control", label: "Flow control", to: "rx_tx", until_restart: "" }];
  const groups = groupFindings([makeFinding({ fix }), makeFinding({ rule: "other", title: "Other", ...manual })]);
  expect(fixable(groups).map((group) => group.first.rule)).toEqual(["bp1057.flow_control"]);
  const plan = planOf(fixable(groups), { hostId: "0", hostName: "sql-03" });
  expect(plan.reason).toBe("Fix “Flow control is off on SAN1” on sql-03");
  expect(plan.wanted.findings).toEqual([
    { host_id: "0", pack: "dell-bp1057-2012", rule: "bp1057.flow_control", subject_kind: "adapter", subject_id: "0010189b7a10" },
  ]);
});

it("tells attestations that nobody made from what the host could not read", () => {
  const [open, made, unread] = [
    makeFinding({ kind: "attestation", standing: "unknown" }),
    makeFinding({ kind: "attestation", standing: "pass" }),
    makeFinding({ standing: "unknown" }),
  ].map((finding) => groupFindings([finding])[0]);
  expect([open, made, unread].map((group) => group !== undefined && isUnanswered(group))).toEqual([true, false, false]);
});
