import { Link } from "@tanstack/react-router";
import { visible } from "@/shared/lib/text";
import { StatusLabel } from "@/shared/ui/status";
import { TimeAgo } from "@/shared/ui/time-ago";
import styles from "./banner.module.css";
import { useStopSwitch } from "./queries";

/** Shown above every page while nothing may be changed anywhere: nobody should have to look for why a job waits. */
export function StopBanner() {
  const { data } = useStopSwitch();
  if (!data?.is_stopped) return null;
  const isRestored = data.cause === "restore";
  return (
    <div className={styles.banner} role="status">
      <StatusLabel status="excluded">{isRestored ? "Restored from backup: changes are paused" : "Emergency stop is on"}</StatusLabel>
      <span>
        {isRestored || !data.changed_by ? "" : `by ${visible(data.changed_by)}, `}
        <TimeAgo at={data.changed_at} />: {visible(data.reason)}
        {isRestored ? ". An admin must resume changes." : ""}
      </span>
      <Link to="/safety" className="link">
        Open Safety
      </Link>
    </div>
  );
}
