import { type Status, StatusLabel } from "@/shared/ui/status";

const STATUS: Record<string, Status> = {
  pass: "pass",
  fail: "fail",
  unknown: "unknown",
  not_applicable: "not_applicable",
  waived: "waived",
  excluded: "excluded",
  advice: "advice",
};

export function FindingStatusLabel({ status: key }: { status: string }) {
  const status = STATUS[key];
  return status ? <StatusLabel status={status} /> : <span className="dim">Not evaluated</span>;
}
