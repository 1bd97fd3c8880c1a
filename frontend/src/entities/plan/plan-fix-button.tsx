import { Button } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useNavigate } from "@tanstack/react-router";
import { ApiProblem } from "@/shared/api/problem";
import { useDraftPlan } from "./queries";
import type { PlanCreate } from "./types";

interface PlanFixButtonProps {
  /** What is to be fixed. */
  wanted: Pick<Partial<PlanCreate>, "findings" | "rules" | "settings">;
  /** Filled in for the person, who may change it before asking for approval. */
  reason: string;
  /** The ticket that the plan belongs to, if there is one. */
  ticket?: string;
  label?: string;
  /** What it is about, for people who do not see the line it stands in. */
  about: string;
  /** The main act of its page: filled, and of full size. */
  isMain?: boolean;
}

/** Drafts a plan for failing findings and goes to its page. Nothing is changed on any host before somebody else approves. */
export function PlanFixButton({ wanted, reason, ticket = "", label = "Plan fix", about, isMain = false }: PlanFixButtonProps) {
  const navigate = useNavigate();
  const draft = useDraftPlan((plan) => void navigate({ to: "/remediate/$planId", params: { planId: String(plan.id) } }));
  return (
    <Button
      size={isMain ? undefined : "compact-sm"}
      variant={isMain ? "filled" : "default"}
      loading={draft.isPending}
      aria-label={`${label}: ${about}`}
      onClick={() =>
        draft.mutate(
          { ...wanted, reason, ticket },
          { onError: (error) => notifications.show({ title: "Couldn't create the plan", message: ApiProblem.of(error).message }) },
        )
      }
    >
      {label}
    </Button>
  );
}
