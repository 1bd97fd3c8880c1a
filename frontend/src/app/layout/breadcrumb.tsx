import { Link, useLocation, useParams } from "@tanstack/react-router";
import { useHost } from "@/entities/host/queries";
import { visible } from "@/shared/lib/text";
import styles from "./breadcrumb.module.css";

/** The name of each page by the first part of its address. */
export const names: Record<string, string> = {
  "": "Overview",
  hosts: "Hosts",
  matrix: "Matrix",
  drift: "Drift",
  switches: "Switches",
  performance: "Performance",
  score: "Score",
  waivers: "Waivers",
  rules: "Rules",
  packs: "Packs",
  decisions: "Conflicts",
  past: "Past state of the fleet",
  remediate: "Remediation",
  safety: "Safety",
  "on-call": "On-call",
  jobs: "Jobs",
  benchmarks: "Benchmarks",
  reports: "Reports",
  assess: "Assess a bundle",
  enrol: "Enrol hosts",
  admin: "Admin",
  "api-reference": "API reference",
  account: "Your account",
};

/** Where this page stands: Hosts › PROD-B › sql-03. */
export function Breadcrumb() {
  const path = useLocation({ select: (location) => location.pathname });
  const { assessmentId, hostId, jobId, pack, rule, planId, proofId, reportId, switchId, waiverId } = useParams({ strict: false });
  const host = useHost(hostId ?? "", hostId !== undefined);
  const first = path.split("/")[1] ?? "";
  const parts: { label: string; to?: string }[] = [];
  if (hostId !== undefined) {
    parts.push({ label: "Hosts", to: "/hosts" });
    if (host.data) {
      parts.push({ label: host.data.group_name, to: `/hosts?group=${host.data.group_id}` });
      parts.push(path.endsWith("/past") ? { label: host.data.name, to: `/hosts/${hostId}` } : { label: host.data.name });
      if (path.endsWith("/past")) parts.push({ label: "Past state" });
    }
  } else if (pack !== undefined && rule !== undefined) {
    parts.push({ label: "Rules", to: "/rules" }, { label: pack, to: `/rules?pack=${encodeURIComponent(pack)}` }, { label: rule });
  } else if (pack !== undefined) {
    parts.push({ label: "Packs", to: "/packs" }, { label: pack });
  } else if (planId !== undefined) {
    parts.push({ label: "Remediation", to: "/remediate" }, { label: `Plan ${planId}` });
  } else if (jobId !== undefined) {
    parts.push({ label: "Jobs", to: "/jobs" }, { label: `Job ${jobId}` });
  } else if (proofId !== undefined) {
    parts.push({ label: "Benchmarks", to: "/benchmarks" }, { label: `Proof ${proofId}` });
  } else if (reportId !== undefined) {
    parts.push({ label: "Reports", to: "/reports" }, { label: `Report ${reportId}` });
  } else if (assessmentId !== undefined) {
    parts.push({ label: "Hosts", to: "/hosts" }, { label: "Assess a bundle", to: "/assess" }, { label: `Assessment ${assessmentId}` });
  } else if (switchId !== undefined) {
    // CDP puts the serial number behind the name.
    parts.push({ label: "Switches", to: "/switches" }, { label: switchId.replace(/\(\w+\)$/, "") });
  } else if (waiverId !== undefined) {
    parts.push({ label: "Waivers", to: "/waivers" }, { label: `Waiver ${waiverId}` });
  } else {
    parts.push({ label: names[first] ?? "Not found" });
  }
  return (
    <nav aria-label="Breadcrumb" className={styles.crumbs}>
      <ol>
        {parts.map((part, index) => (
          <li key={part.to ?? part.label} data-last={index === parts.length - 1 || undefined}>
            {part.to ? (
              <Link to={part.to}>{visible(part.label)}</Link>
            ) : (
              <span aria-current={index === parts.length - 1 ? "page" : undefined}>{visible(part.label)}</span>
            )}
          </li>
        ))}
      </ol>
    </nav>
  );
}
