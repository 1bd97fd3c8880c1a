import { ActionIcon, Menu, useMantineColorScheme } from "@mantine/core";
import { IconDeviceDesktop, IconMenu2, IconMoon, IconPlayerPause, IconPlayerPlay, IconSearch, IconSun } from "@tabler/icons-react";
import { useSetZone } from "@/entities/person/queries";
import type { Session } from "@/entities/person/types";
import { LabBadge } from "@/features/lab/lab-badge";
import { useLive } from "@/shared/api/live";
import { browserZone, exact, timeOfDay, zoneLabel } from "@/shared/lib/time";
import { useZone } from "@/shared/ui/time-ago";
import { Tooltip } from "@/shared/ui/tooltip";
import { Breadcrumb } from "./breadcrumb";
import { JobsTray } from "./jobs-tray";
import { spotlight } from "./spotlight";
import styles from "./top-bar.module.css";

export function TopBar({ session, openDrawer }: { session: Session; openDrawer: () => void }) {
  return (
    <header className={styles.top} data-print="no">
      <ActionIcon className={styles.menu} size={44} onClick={openDrawer} aria-label="Open menu">
        <IconMenu2 size={20} />
      </ActionIcon>
      <Breadcrumb />
      <span className={styles.grow} />
      <button type="button" className={styles.search} onClick={spotlight.open} aria-label="Search hosts, rules, views">
        <IconSearch size={14} aria-hidden="true" />
        <span className="on-desk">Search hosts, rules</span>
        <kbd className="on-desk">/</kbd>
      </button>
      {session.is_demo ? <LabBadge canRemove={session.can.remove_lab} /> : null}
      <JobsTray />
      <Freshness />
      <ZoneSwitch />
      <SchemeSwitch />
    </header>
  );
}

function Freshness() {
  const { state, asOf, setPaused } = useLive();
  const zone = useZone();
  const at = asOf ? timeOfDay(asOf, zone) : null;
  const stateLabel = state === "live" ? "Live" : state === "paused" ? "Paused" : "Connecting…";
  const label = state === "paused" ? "Resume auto-refresh" : "Pause auto-refresh";
  return (
    <span className={styles.live}>
      <span className={styles.asOf} title={asOf ? exact(asOf, zone) : undefined}>
        {stateLabel}
        {at ? `, as of ${at}` : ""}
      </span>
      <Tooltip<HTMLButtonElement> label={label}>
        {(target) => (
          <ActionIcon
            size={28}
            onClick={() => setPaused(state !== "paused")}
            aria-label={label}
            aria-pressed={state === "paused"}
            {...target}
          >
            {state === "paused" ? <IconPlayerPlay size={14} /> : <IconPlayerPause size={14} />}
          </ActionIcon>
        )}
      </Tooltip>
    </span>
  );
}

function ZoneSwitch() {
  const zone = useZone();
  const setZone = useSetZone();
  const zones = [...new Set(["UTC", browserZone(), zone])];
  return (
    <Menu>
      <Menu.Target>
        <button type="button" className={styles.plain} aria-label={`Time zone: ${zone}`}>
          {zoneLabel(zone)}
        </button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>Time zone</Menu.Label>
        {zones.map((name) => (
          <Menu.Item
            key={name}
            onClick={() => setZone.mutate(name)}
            aria-current={name === zone || undefined}
            fw={name === zone ? 600 : 400}
          >
            {name}
            {name === browserZone() ? ", browser" : ""} ({zoneLabel(name)})
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}

const schemes = [
  { value: "light", label: "Light", icon: <IconSun size={16} /> },
  { value: "dark", label: "Dark", icon: <IconMoon size={16} /> },
  { value: "auto", label: "System", icon: <IconDeviceDesktop size={16} /> },
] as const;

function SchemeSwitch() {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const now = schemes.find((scheme) => scheme.value === colorScheme) ?? schemes[2];
  return (
    <Menu>
      <Menu.Target>
        <ActionIcon size={28} aria-label={`Theme: ${now.label}`}>
          {now.icon}
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {schemes.map((scheme) => (
          <Menu.Item
            key={scheme.value}
            leftSection={scheme.icon}
            onClick={() => setColorScheme(scheme.value)}
            fw={scheme.value === colorScheme ? 600 : 400}
            aria-current={scheme.value === colorScheme || undefined}
          >
            {scheme.label}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
