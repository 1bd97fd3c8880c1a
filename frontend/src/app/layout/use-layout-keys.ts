import { useMantineColorScheme } from "@mantine/core";
import { useNavigate } from "@tanstack/react-router";
import { useHotkeyMap } from "@/shared/lib/hotkeys";

/** The keys that work on every page; `/` and Ctrl+K belong to the palette, j/k and the like to the lists. */
export function useLayoutKeys({ showKeyMap }: { showKeyMap: () => void }): void {
  const navigate = useNavigate();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  useHotkeyMap({
    "g o": () => void navigate({ to: "/" }),
    "g h": () => void navigate({ to: "/hosts" }),
    "g m": () => void navigate({ to: "/matrix" }),
    "g d": () => void navigate({ to: "/drift" }),
    "g w": () => void navigate({ to: "/waivers" }),
    "g r": () => void navigate({ to: "/rules" }),
    "g f": () => void navigate({ to: "/remediate" }),
    "g j": () => void navigate({ to: "/jobs" }),
    "g c": () => void navigate({ to: "/on-call" }),
    "g p": () => void navigate({ to: "/reports" }),
    "g e": () => void navigate({ to: "/enrol" }),
    t: () => setColorScheme(colorScheme === "dark" ? "light" : "dark"),
    "?": showKeyMap,
  });
}
