import { screen } from "@testing-library/react";
import { expect, it, vi } from "vitest";
import type { PlanChecklist } from "@/entities/plan/types";
import { drawPage } from "@/shared/testing/render";
import { Checklists } from "./left-out";

const checklist = (host: string): PlanChecklist =>
  ({
    host,
    host_name: host,
    because: "it is the array's software",
    steps: ["Install MEM 1.2 or later."],
    findings: [{ host, pack: "dell-esxi55", rule: "esxi55.mem", subject_kind: "host", subject_id: "" }],
  }) as PlanChecklist;

async function drawn(...checklists: PlanChecklist[]) {
  const asked = vi
    .spyOn(globalThis, "fetch")
    .mockResolvedValue(Response.json({ items: [{ pack: "dell-esxi55", rule: "esxi55.mem", title: "EqualLogic MEM version" }] }));
  drawPage(
    <main>
      <Checklists checklists={checklists} />
    </main>,
  );
  await screen.findByRole("main");
  return asked;
}

it("names the rule of a manual step by its title, once for all hosts that need it", async () => {
  await drawn(checklist("esx-01"), checklist("esx-02"));
  const steps = screen.getByRole("region", { name: "Manual steps" });
  expect(await screen.findByRole("link", { name: "EqualLogic MEM version" })).toBeVisible();
  expect(steps).not.toHaveTextContent("esxi55.mem");
  expect(screen.getByText("Install MEM 1.2 or later.")).toBeVisible();
});

it("asks for nothing where there is no manual step", async () => {
  const asked = await drawn();
  expect(asked).not.toHaveBeenCalled();
  expect(screen.queryByRole("region")).not.toBeInTheDocument();
});
