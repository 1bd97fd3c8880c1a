import { useMantineColorScheme } from "@mantine/core";
import { useDebouncedValue, useLocalStorage } from "@mantine/hooks";
import { Spotlight } from "@mantine/spotlight";
import { useNavigate } from "@tanstack/react-router";
import { useEffect, useRef, useState } from "react";
import { useSignOut } from "@/entities/person/queries";
import type { Session } from "@/entities/person/types";
import { query } from "@/shared/api/client";
import { visible } from "@/shared/lib/text";
import styles from "./palette.module.css";
import { spotlight, spotlightStore } from "./spotlight";

interface Entry {
  id: string;
  label: string;
  detail: string;
  run: () => void;
}

const LIST = "search-results";

type Recent = { id: string; label: string; detail: string; url: string };

/** Search and commands in one field: hosts, rules, saved views, every page, commands; what was opened last when empty. */
export function Palette({ session, showKeyMap }: { session: Session; showKeyMap: () => void }) {
  const navigate = useNavigate();
  const signOut = useSignOut();
  const { setColorScheme } = useMantineColorScheme();
  const [typed, setTyped] = useState("");
  const [searched] = useDebouncedValue(typed.trim(), 80);
  const [recents, setRecents] = useLocalStorage<Recent[]>({ key: `plumbline-recents-${session.person.id}`, defaultValue: [] });
  const search = query.useQuery(
    "get",
    "/api/v1/search",
    { params: { query: { q: searched } } },
    { enabled: searched.length > 0, staleTime: 5000 },
  );

  const open = (hit: Recent) => {
    setRecents([hit, ...recents.filter((one) => one.url !== hit.url)].slice(0, 7));
    void navigate({ to: hit.url });
  };
  const go = (label: string, to: string, detail = "page"): Entry => ({ id: `go ${to}`, label, detail, run: () => void navigate({ to }) });
  const commands: Entry[] = [
    go("Overview", "/"),
    go("Hosts", "/hosts"),
    go("Hosts with a failing rule", "/hosts?outcome=fail&sort=score"),
    go("Hosts not reporting", "/hosts?freshness=silent"),
    go("Hosts pending approval", "/hosts?state=waiting"),
    go("Matrix", "/matrix"),
    go("Drift", "/drift"),
    go("Drift: baselines", "/drift?tab=baselines"),
    go("Switches", "/switches"),
    go("Performance", "/performance"),
    go("Score breakdown", "/score"),
    go("Past state of the fleet", "/past"),
    go("Rules", "/rules"),
    go("Packs", "/packs"),
    go("Conflicts", "/decisions"),
    go("Remediation: plans", "/remediate"),
    go("Plans pending approval", "/remediate?state=AWAITING_APPROVAL"),
    go("Waivers", "/waivers"),
    go("Attestations", "/waivers?tab=attestations"),
    go("Jobs", "/jobs"),
    go("Open jobs", "/jobs?show=open"),
    go("On-call: open problems", "/on-call"),
    go("Safety: emergency stop", "/safety"),
    go("Safety: windows and freezes", "/safety?tab=windows"),
    go("Safety: concurrency and workers", "/safety?tab=slots"),
    go("Reports", "/reports"),
    go("Assess a bundle", "/assess"),
    ...(session.can.enrol ? [go("Enrol hosts", "/enrol")] : []),
    ...(session.can.manage_people ? [go("Users and roles", "/admin?tab=people")] : []),
    go("API tokens", "/admin?tab=tokens"),
    go("Your account: password and sessions", "/account"),
    ...(session.can.see_audit ? [go("Audit log", "/admin?tab=audit")] : []),
    { id: "light", label: "Light theme", detail: "action", run: () => setColorScheme("light") },
    { id: "dark", label: "Dark theme", detail: "action", run: () => setColorScheme("dark") },
    { id: "keys", label: "Show keyboard shortcuts", detail: "action", run: showKeyMap },
    { id: "out", label: "Sign out", detail: "action", run: () => signOut.mutate() },
  ];
  const wanted = typed.trim().toLowerCase();
  const matching = wanted ? commands.filter((one) => one.label.toLowerCase().includes(wanted)) : commands;
  // Pages that this list offers by itself are not listed a second time.
  const hits = wanted ? (search.data ?? []).filter((hit) => !commands.some((one) => one.id === `go ${hit.url}`)) : [];

  const takeFirst = () => {
    const [hit] = hits;
    const [command] = matching;
    if (hit) open(hit);
    else if (command) command.run();
    else return;
    spotlight.close();
  };
  const isSearching = wanted !== "" && (searched.toLowerCase() !== wanted || search.isFetching);
  // Enter takes the first result for what was typed, and waits for it: the list may still show what an earlier text found, and Spotlight
  // marks its first entry by itself. An entry that the arrow keys chose goes before.
  const isChosen = useRef(false);
  const [entered, setEntered] = useState("");
  const isEntered = entered !== "" && entered === wanted;
  const type = (text: string) => {
    isChosen.current = false;
    setEntered("");
    setTyped(text);
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: it waits for the search alone
  useEffect(() => {
    if (!isEntered || isSearching) return;
    setEntered("");
    takeFirst();
  }, [isEntered, isSearching]);

  // The mark is on what Enter opens. Spotlight puts it on the first entry when a text is typed, which is another one once results arrive.
  useEffect(() => {
    if (wanted === "" || isChosen.current) return;
    const entries = [...document.querySelectorAll(`#${LIST} [data-action]`)];
    for (const entry of isSearching ? entries : entries.slice(1)) entry.removeAttribute("data-selected");
    if (isSearching) return;
    entries[0]?.setAttribute("data-selected", "true");
    // From where the arrow keys go on.
    if (spotlightStore.getState().selected !== 0) spotlightStore.updateState((state) => ({ ...state, selected: 0 }));
  });

  return (
    <Spotlight.Root
      store={spotlightStore}
      query={typed}
      onQueryChange={type}
      shortcut={["mod + K", "/"]}
      scrollable
      maxHeight={420}
      shadow="none"
      // A blurred page behind it, and locking the page's scrolling, take most of the time that opening takes.
      overlayProps={{ backgroundOpacity: 0.35, blur: 0 }}
      lockScroll={false}
      transitionProps={{ duration: 0 }}
    >
      <Spotlight.Search
        // Before Spotlight sees the key, which would open the entry that it marked.
        onKeyDownCapture={(event) => {
          if (event.nativeEvent.isComposing) return;
          if (event.key === "ArrowDown" || event.key === "ArrowUp") isChosen.current = true;
          if (event.key !== "Enter" || isChosen.current || wanted === "") return;
          event.preventDefault();
          event.stopPropagation();
          setEntered(event.currentTarget.value.trim().toLowerCase());
        }}
        placeholder="Search hosts, rules and views, or type a command"
        aria-label="Search hosts, rules, views and commands"
      />
      <Spotlight.ActionsList id={LIST} className={styles.list}>
        {hits.length > 0 ? (
          <Spotlight.ActionsGroup label="Results">
            {hits.map((hit) => (
              <Spotlight.Action
                key={`${hit.kind}-${hit.id}`}
                label={visible(hit.label)}
                description={`${hit.kind} · ${visible(hit.detail)}`}
                onClick={() => open(hit)}
              />
            ))}
          </Spotlight.ActionsGroup>
        ) : null}
        {!wanted && recents.length > 0 ? (
          <Spotlight.ActionsGroup label="Recent">
            {recents.map((hit) => (
              <Spotlight.Action key={hit.url} label={visible(hit.label)} description={visible(hit.detail)} onClick={() => open(hit)} />
            ))}
          </Spotlight.ActionsGroup>
        ) : null}
        {matching.length > 0 ? (
          <Spotlight.ActionsGroup label="Commands">
            {matching.map((one) => (
              <Spotlight.Action
                key={one.id}
                label={one.label}
                description={one.detail}
                onClick={() => {
                  one.run();
                  spotlight.close();
                }}
              />
            ))}
          </Spotlight.ActionsGroup>
        ) : null}
        {hits.length === 0 && matching.length === 0 ? (
          <Spotlight.Empty>
            {search.isFetching
              ? "Searching…"
              : search.isError
                ? "Search is unavailable. Use the menu instead."
                : "No results in your groups"}
          </Spotlight.Empty>
        ) : null}
      </Spotlight.ActionsList>
    </Spotlight.Root>
  );
}
