import { Drawer } from "@mantine/core";
import { useDisclosure, useLocalStorage, useMediaQuery } from "@mantine/hooks";
import { Outlet, useLocation } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import { BreakGlassBanner } from "@/entities/controls/break-glass-banner";
import { StopBanner } from "@/entities/controls/stop-banner";
import { useSession } from "@/entities/person/queries";
import { Boundary } from "@/shared/ui/query-panel";
import { KeyMapDialog } from "./key-map-dialog";
import styles from "./layout.module.css";
import { Palette } from "./palette";
import { Rail } from "./rail";
import { TopBar } from "./top-bar";
import { useLayoutKeys } from "./use-layout-keys";

/** Everything around a page: rail, top bar, palette, and the landmarks that lead a screen reader. */
export function Layout() {
  const session = useSession().data;
  const path = useLocation({ select: (location) => location.pathname });
  const [isDrawerOpen, drawer] = useDisclosure(false);
  const [isKeyMapOpen, keyMap] = useDisclosure(false);
  const rail = useRail();
  useLayoutKeys({ showKeyMap: keyMap.open });
  // biome-ignore lint/correctness/useExhaustiveDependencies: a page opened from the drawer closes it
  useEffect(drawer.close, [path]);
  if (!session) return null;

  return (
    <div className={styles.shell} data-narrow={rail.isNarrow || undefined}>
      <a className={styles.skip} href="#content">
        Skip to main content
      </a>
      <aside className={styles.rail} data-print="no" aria-label="Navigation">
        <Rail session={session} isNarrow={rail.isNarrow} setNarrow={rail.setNarrow} />
      </aside>
      <Drawer opened={isDrawerOpen} onClose={drawer.close} size={264} title="Plumbline" closeButtonProps={{ "aria-label": "Close menu" }}>
        <Rail session={session} isNarrow={false} />
      </Drawer>
      <div className={styles.body}>
        <TopBar session={session} openDrawer={drawer.open} />
        <main id="content" className={styles.main} tabIndex={-1}>
          <StopBanner />
          <BreakGlassBanner />
          <Boundary key={path}>
            <Outlet />
          </Boundary>
        </main>
      </div>
      <Palette session={session} showKeyMap={keyMap.open} />
      <KeyMapDialog isOpen={isKeyMapOpen} close={keyMap.close} />
    </div>
  );
}

/** The rail's width: on a desk as this person left it; where words beside it would squeeze the page, narrow until somebody widens it. */
function useRail() {
  const isTight = useMediaQuery("(max-width: 1080px)", undefined, { getInitialValueInEffect: false }) ?? false;
  const [isNarrow, setNarrow] = useLocalStorage({ key: "plumbline-rail", defaultValue: false });
  const [isWidened, setWidened] = useState(false);
  return isTight
    ? { isNarrow: !isWidened, setNarrow: (next: boolean) => setWidened(!next) }
    : { isNarrow, setNarrow: (next: boolean) => setNarrow(next) };
}
