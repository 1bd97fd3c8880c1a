import { Link, type LinkProps } from "@tanstack/react-router";
import { query } from "@/shared/api/client";
import type { Schemas } from "@/shared/api/schemas";
import { visible } from "@/shared/lib/text";
import { QueryPanel } from "@/shared/ui/query-panel";
import { StatusIcon } from "@/shared/ui/status";
import { TimeAgo } from "@/shared/ui/time-ago";
import styles from "./admin.module.css";

type Step = Schemas["FirstStep"];

interface What {
  label: string;
  why: string;
  link?: Pick<LinkProps, "to" | "search">;
  act?: string;
}

const STEPS: Record<Step["step"], What> = {
  group: {
    label: "Create groups",
    why: "Hosts, roles and packs belong to groups.",
    link: { to: "/admin", search: { tab: "groups" } },
    act: "Create group",
  },
  token: { label: "Create an enrolment token", why: "It lets hosts enrol until it expires.", link: { to: "/enrol" }, act: "Create token" },
  host: { label: "Get the first check-in", why: "Run one command on a host, then approve it.", link: { to: "/enrol" }, act: "Enrol hosts" },
  credential: {
    label: "Add a credential",
    why: "For hosts without an agent, and for fixes.",
    link: { to: "/admin", search: { tab: "collection" } },
    act: "Add credential",
  },
  notifications: {
    label: "Add a notification channel",
    why: "Email, chat or a webhook.",
    link: { to: "/admin", search: { tab: "notices" } },
    act: "Add channel",
  },
  heartbeat: {
    label: "Add a heartbeat",
    why: "An external monitor alerts you when Plumbline itself is down.",
    link: { to: "/admin", search: { tab: "notices" } },
    act: "Add heartbeat",
  },
  backup: { label: "Make a backup", why: "Run plumbline backup FILE, and back up the keys folder separately." },
};

const useFirstSteps = () => query.useQuery("get", "/api/v1/first-steps", {}, { refetchInterval: 30_000 });

/** What a new installation still needs. It leaves the page once everything is done. */
export function FirstSteps() {
  const steps = useFirstSteps();
  if (steps.data?.items.every((step) => step.is_done)) return null;
  return (
    <section className={styles.first} aria-label="First steps">
      <QueryPanel query={steps} height={210} lines={7}>
        {({ items }) => (
          <details open={items.filter((step) => step.is_done).length < 4 || undefined}>
            <summary>
              <h2>First steps</h2>{" "}
              <span className="dim">
                {items.filter((step) => step.is_done).length} of {items.length} done
              </span>
            </summary>
            <ol>
              {items.map((step) => (
                <Line key={step.step} step={step} />
              ))}
            </ol>
            <p className="dim small">
              Only have a support bundle?{" "}
              <Link to="/assess" className="link">
                Assess a bundle
              </Link>
              : nothing is installed and no host is contacted.
            </p>
          </details>
        )}
      </QueryPanel>
    </section>
  );
}

function Line({ step }: { step: Step }) {
  const { label, why, link, act } = STEPS[step.step];
  return (
    <li>
      <StatusIcon status={step.is_done ? "pass" : "neutral"} />
      <span>
        <span className={step.is_done ? "dim" : "strong"}>{label}</span>{" "}
        <span className="dim small">
          {step.is_done ? <>Done{step.words ? `: ${visible(step.words)}` : ""}</> : why}
          {step.at ? (
            <>
              {" "}
              <TimeAgo at={step.at} />
            </>
          ) : null}
        </span>
      </span>
      {!step.is_done && link ? (
        <Link {...link} className="link">
          {act}
        </Link>
      ) : null}
    </li>
  );
}
