import { ActionIcon, Menu } from "@mantine/core";
import {
  IconActivity,
  IconArrowsDiff,
  IconChartHistogram,
  IconFileText,
  IconGauge,
  IconGridDots,
  IconLayoutSidebarLeftCollapse,
  IconLayoutSidebarLeftExpand,
  IconListCheck,
  IconLogout,
  IconPhoneCall,
  IconPin,
  IconPinFilled,
  IconPlayerTrackNext,
  IconPlugConnected,
  IconServer2,
  IconSettings,
  IconShieldHalf,
  IconTool,
  IconTopologyStar3,
  IconUserCircle,
  IconX,
} from "@tabler/icons-react";
import { Link, useLocation } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { useOverview } from "@/entities/fleet/queries";
import { useSignOut } from "@/entities/person/queries";
import type { Session } from "@/entities/person/types";
import { useRemoveView, useSavedViews, useSetDefaultView } from "@/entities/saved-view/queries";
import { useWaiverNotices } from "@/entities/waiver/queries";
import { count } from "@/shared/lib/format";
import { Brand } from "@/shared/ui/brand";
import { Tooltip } from "@/shared/ui/tooltip";
import styles from "./rail.module.css";

interface RailProps {
  session: Session;
  isNarrow: boolean;
  /** Given where the rail can be made narrow; absent in the drawer of a phone. */
  setNarrow?: (isNarrow: boolean) => void;
}

export function Rail({ session, isNarrow, setNarrow }: RailProps) {
  const overview = useOverview();
  const notices = useWaiverNotices();
  return (
    <div className={styles.rail} data-narrow={isNarrow || undefined}>
      <div className={styles.brand}>{isNarrow ? null : <Brand />}</div>
      <nav aria-label="Main">
        <Entry to="/" icon={<IconChartHistogram size={16} />} label="Overview" isExact isNarrow={isNarrow} />
        <Entry to="/hosts" icon={<IconServer2 size={16} />} label="Hosts" isNarrow={isNarrow} figure={overview.data?.headline.hosts} />
        <Entry to="/matrix" icon={<IconGridDots size={16} />} label="Matrix" isNarrow={isNarrow} />
        <Entry to="/drift" icon={<IconArrowsDiff size={16} />} label="Drift" isNarrow={isNarrow} />
        <Entry to="/switches" icon={<IconTopologyStar3 size={16} />} label="Switches" isNarrow={isNarrow} />
        <Entry to="/performance" icon={<IconActivity size={16} />} label="Performance" isNarrow={isNarrow} />
        <Entry to="/rules" icon={<IconListCheck size={16} />} label="Rules" isNarrow={isNarrow} />
        <Entry to="/remediate" icon={<IconTool size={16} />} label="Remediation" isNarrow={isNarrow} />
        <Entry to="/jobs" icon={<IconPlayerTrackNext size={16} />} label="Jobs" isNarrow={isNarrow} />
        <Entry to="/benchmarks" icon={<IconGauge size={16} />} label="Benchmarks" isNarrow={isNarrow} />
        <Entry to="/reports" icon={<IconFileText size={16} />} label="Reports" isNarrow={isNarrow} />
        <Entry
          to="/waivers"
          icon={<IconShieldHalf size={16} />}
          label="Waivers"
          isNarrow={isNarrow}
          figure={(notices.data?.to_decide ?? 0) + (notices.data?.ending.length ?? 0) || undefined}
          figureLabel={notices.data?.to_decide ? "to review" : "expiring"}
        />
        {session.can.enrol || session.can.approve_hosts ? (
          <Entry
            to="/enrol"
            icon={<IconPlugConnected size={16} />}
            label="Enrol hosts"
            isNarrow={isNarrow}
            figure={overview.data?.waiting || undefined}
            figureLabel="pending"
          />
        ) : null}
      </nav>
      {isNarrow ? null : <SavedViews />}
      <div className={styles.foot}>
        <Entry to="/on-call" icon={<IconPhoneCall size={16} />} label="On-call" isNarrow={isNarrow} />
        <Entry
          to="/admin"
          icon={<IconSettings size={16} />}
          label={session.can.manage_people || session.can.manage_groups ? "Admin" : session.can.see_audit ? "Audit log" : "API tokens"}
          isNarrow={isNarrow}
        />
        <AccountMenu session={session} isNarrow={isNarrow} />
        {setNarrow ? (
          <Tooltip<HTMLButtonElement> label={isNarrow ? "Expand sidebar" : "Collapse sidebar"} position="right">
            {(target) => (
              <ActionIcon
                className={styles.fold}
                onClick={() => setNarrow(!isNarrow)}
                aria-label={isNarrow ? "Expand sidebar" : "Collapse sidebar"}
                aria-expanded={!isNarrow}
                {...target}
              >
                {isNarrow ? <IconLayoutSidebarLeftExpand size={16} /> : <IconLayoutSidebarLeftCollapse size={16} />}
              </ActionIcon>
            )}
          </Tooltip>
        ) : null}
      </div>
    </div>
  );
}

/** Whose session it is, with the way to the account and out: opening it ends nothing. */
function AccountMenu({ session, isNarrow }: { session: Session; isNarrow: boolean }) {
  const signOut = useSignOut();
  const roles = [...new Set(session.roles.map((grant) => grant.role))].join(", ");
  const { login } = session.person;
  return (
    <Menu position="right-end">
      <Menu.Target>
        <button type="button" className={styles.entry} aria-label={`Account of ${login}`}>
          <IconUserCircle size={16} aria-hidden="true" />
          {isNarrow ? null : (
            <span className={styles.label}>
              {login}
              <span className={styles.sub}>{dueNow(session) || roles || "No roles"}</span>
            </span>
          )}
        </button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item leftSection={<IconUserCircle size={16} />} renderRoot={(props) => <Link to="/account" {...props} />}>
          {dueNow(session) || "Your account"}
        </Menu.Item>
        <Menu.Item leftSection={<IconLogout size={16} />} onClick={() => signOut.mutate()}>
          Sign out ({login})
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

/** What the person has to do on the account page first; empty where nothing is due. */
function dueNow(session: Session): string {
  if (session.must_set_password) return "Set your password";
  return session.must_add_second_factor ? "Add a second factor" : "";
}

/** Pages that are grouped under one entry. */
const ALSO: Record<string, string[]> = { "/rules": ["/packs", "/decisions"], "/benchmarks": ["/proofs"] };

interface EntryProps {
  to:
    | "/"
    | "/hosts"
    | "/matrix"
    | "/drift"
    | "/switches"
    | "/performance"
    | "/waivers"
    | "/rules"
    | "/remediate"
    | "/jobs"
    | "/benchmarks"
    | "/reports"
    | "/enrol"
    | "/admin"
    | "/on-call";
  icon: ReactNode;
  label: string;
  isNarrow: boolean;
  isExact?: boolean;
  figure?: number | undefined;
  figureLabel?: string;
}

function Entry({ to, icon, label, isNarrow, isExact = false, figure, figureLabel }: EntryProps) {
  const path = useLocation({ select: (location) => location.pathname });
  const views = useSavedViews();
  const opens = views.data?.find((view) => view.is_default && pageOf(view.url) === to);
  const isHere = isExact ? path === to : [to, ...(ALSO[to] ?? [])].some((one) => path === one || path.startsWith(`${one}/`));
  return (
    <Tooltip<HTMLAnchorElement> label={isNarrow ? label : undefined} position="right">
      {(target) => (
        <Link
          to={opens ? opens.url : to}
          className={styles.entry}
          data-here={isHere || undefined}
          aria-current={isHere ? "page" : undefined}
          aria-label={isNarrow ? label : undefined}
          {...target}
        >
          {icon}
          {isNarrow ? null : <span className={styles.label}>{label}</span>}
          {!isNarrow && figure !== undefined ? (
            <span className={styles.figure}>
              {count(figure)}
              {figureLabel ? ` ${figureLabel}` : ""}
            </span>
          ) : null}
        </Link>
      )}
    </Tooltip>
  );
}

const pageOf = (url: string) => url.split("?")[0];

function SavedViews() {
  const views = useSavedViews();
  const remove = useRemoveView();
  const setDefault = useSetDefaultView();
  if (!views.data || views.data.length === 0) return null;
  return (
    <nav aria-label="Saved views" className={styles.views}>
      <div className={styles.cap}>Saved views</div>
      {views.data.map((view) => (
        <div key={view.id} className={styles.view}>
          <Link to={view.url} className={styles.entry}>
            <span className={styles.label}>{view.name}</span>
            {view.is_shared ? <span className={styles.figure}>shared</span> : null}
          </Link>
          {view.is_mine ? (
            <>
              <ActionIcon
                size={24}
                className={styles.remove}
                aria-label={`Make ${view.name} the default view`}
                aria-pressed={view.is_default}
                title={view.is_default ? "Default view" : "Set as default"}
                onClick={() => setDefault.mutate({ view_id: view.id, is_default: !view.is_default })}
              >
                {view.is_default ? <IconPinFilled size={12} /> : <IconPin size={12} />}
              </ActionIcon>
              <ActionIcon
                size={24}
                className={styles.remove}
                aria-label={`Delete view ${view.name}`}
                onClick={() => remove.mutate(view.id)}
              >
                <IconX size={12} />
              </ActionIcon>
            </>
          ) : null}
        </div>
      ))}
    </nav>
  );
}
