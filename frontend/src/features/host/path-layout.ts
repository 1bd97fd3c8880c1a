import { plural } from "@/shared/lib/format";
import type { PathMap } from "./types";

/** The picture of a path map, worked out as plain figures: boxes in three columns and the lines between them. */

type PathState = "healthy" | "standby" | "dead" | "unknown";

export interface Box {
  id: string;
  x: number;
  y: number;
  width: number;
  height: number;
  lines: string[];
  /** What is wrong with it, in words. */
  issue: string;
}

export interface Wire {
  key: string;
  from: { x: number; y: number };
  to: { x: number; y: number };
  state: PathState;
  /** How many paths this line stands for. */
  paths: number;
}

interface PathPicture {
  width: number;
  height: number;
  adapters: Box[];
  portals: Box[];
  volumes: Box[];
  wires: Wire[];
  /** Labels of the fabrics, beside their adapters. */
  fabrics: { label: string; y: number }[];
  /** Volumes that one box stands for, when there are too many to draw. */
  foldedVolumes: number;
}

const NO_ADAPTER = "";
const NO_PORTAL = "";

/** Worst of several states: what a line that stands for several paths shows. */
const WORST: Record<PathState, number> = { dead: 3, unknown: 2, standby: 1, healthy: 0 };

const stateOf = (text: string): PathState => (text === "healthy" || text === "standby" || text === "dead" ? text : "unknown");

const STATE_LABELS: Record<string, string> = { healthy: "Up", standby: "Standby", dead: "Down", unknown: "Unknown" };

/** The word for a path's state, whose keys are those of the API. */
export const pathStateLabel = (state: string): string => STATE_LABELS[state] ?? state;

interface LayoutOptions {
  width: number;
  /** Volumes drawn one by one; more of them share a box. */
  mostVolumes: number;
}

export function layoutPaths(map: PathMap, { width, mostVolumes }: LayoutOptions): PathPicture {
  const byFabric = [...map.adapters].sort((a, b) => a.fabric.localeCompare(b.fabric, "en") || a.name.localeCompare(b.name, "en"));
  const adapters = byFabric.filter((adapter) => map.paths.some((path) => path.adapter === adapter.id));
  const hasStray = map.paths.some((path) => !adapters.some((adapter) => adapter.id === path.adapter));
  const adapterIds = [...adapters.map((adapter) => adapter.id), ...(hasStray ? [NO_ADAPTER] : [])];
  const portalIds = unique(map.paths.map((path) => path.portal || NO_PORTAL)).sort(
    (a, b) => firstAdapter(map, a, adapterIds) - firstAdapter(map, b, adapterIds) || compareAddress(a, b),
  );
  const isFolded = map.volumes.length > mostVolumes;
  const volumeIds = isFolded ? ["*"] : map.volumes.map((volume) => volume.id);

  const adapterHeight = 44;
  const portalHeight = 24;
  const volumeHeight = 38;
  const height =
    Math.max(
      stack(adapterIds.length, adapterHeight, 28),
      stack(portalIds.length, portalHeight, 10),
      stack(volumeIds.length, volumeHeight, 12),
    ) + 34;
  const side = Math.min(180, Math.max(104, width * 0.24));
  const middle = Math.min(150, Math.max(92, width * 0.2));

  const place = (ids: string[], x: number, boxWidth: number, boxHeight: number): Map<string, Omit<Box, "lines" | "issue">> => {
    const room = height - 30;
    const step = room / Math.max(1, ids.length);
    return new Map(
      ids.map((id, index) => [id, { id, x, width: boxWidth, height: boxHeight, y: 26 + step * index + (step - boxHeight) / 2 }]),
    );
  };
  const adapterBoxes = place(adapterIds, 2, side, adapterHeight);
  const portalBoxes = place(portalIds, (width - middle) / 2, middle, portalHeight);
  const volumeBoxes = place(volumeIds, width - side - 2, side, volumeHeight);

  const wires = new Map<string, Wire>();
  const wire = (
    key: string,
    from: Omit<Box, "lines" | "issue"> | undefined,
    to: Omit<Box, "lines" | "issue"> | undefined,
    state: PathState,
  ) => {
    if (!from || !to) return;
    const seen = wires.get(key);
    if (seen) {
      seen.paths += 1;
      if (WORST[state] > WORST[seen.state]) seen.state = state;
      return;
    }
    wires.set(key, {
      key,
      from: { x: from.x + from.width, y: from.y + from.height / 2 },
      to: { x: to.x, y: to.y + to.height / 2 },
      state,
      paths: 1,
    });
  };
  for (const path of map.paths) {
    const adapter = adapterBoxes.has(path.adapter) ? path.adapter : NO_ADAPTER;
    const portal = path.portal || NO_PORTAL;
    const volume = isFolded ? "*" : path.volume;
    wire(`a ${adapter} ${portal}`, adapterBoxes.get(adapter), portalBoxes.get(portal), stateOf(path.state));
    wire(`v ${portal} ${volume}`, portalBoxes.get(portal), volumeBoxes.get(volume), stateOf(path.state));
  }

  const known = new Map(adapters.map((adapter) => [adapter.id, adapter]));
  const volumes = new Map(map.volumes.map((volume) => [volume.id, volume]));
  return {
    width,
    height,
    adapters: [...adapterBoxes.values()].map((box) => {
      const adapter = known.get(box.id);
      return {
        ...box,
        lines: [adapter?.name ?? "Unknown adapter", adapter ? (adapter.addresses[0] ?? "") : "source unclear"].filter(Boolean),
        issue: adapter ? adapter.issue || (adapter.link_up === false ? "link down" : "") : "",
      };
    }),
    portals: [...portalBoxes.values()].map((box) => ({ ...box, lines: [box.id || "Unknown portal"], issue: "" })),
    volumes: [...volumeBoxes.values()].map((box) => {
      const volume = volumes.get(box.id);
      if (!volume) return { ...box, lines: [plural(map.volumes.length, "volume")], issue: "" };
      return {
        ...box,
        lines: [volume.name || volume.id, `${volume.healthy} of ${volume.total} healthy`],
        issue: volume.healthy < volume.total ? `${volume.total - volume.healthy} down` : "",
      };
    }),
    wires: [...wires.values()].sort((a, b) => WORST[a.state] - WORST[b.state]),
    fabrics: unique(adapters.map((adapter) => adapter.fabric).filter(Boolean)).map((label) => {
      const box = adapterBoxes.get(adapters.find((adapter) => adapter.fabric === label)?.id ?? "");
      return { label, y: (box?.y ?? 0) - 5 };
    }),
    foldedVolumes: isFolded ? map.volumes.length : 0,
  };
}

/** What the picture shows, in words, for people who do not see it. */
export function pathsText(map: PathMap): string {
  const dead = map.paths.filter((path) => path.state === "dead").length;
  const unknown = map.paths.filter((path) => path.state === "unknown").length;
  const parts = [
    plural(map.paths.length, "path"),
    plural(unique(map.paths.map((path) => path.adapter).filter(Boolean)).length, "adapter"),
    plural(map.volumes.length, "volume"),
  ];
  if (dead > 0) parts.push(`${dead} down`);
  if (unknown > 0) parts.push(`${unknown} unknown`);
  return parts.join(", ");
}

/**
 * What a restart of an adapter leaves, in one sentence: "While SAN1 restarts, 2 of 4 paths to every volume stay up", or the
 * volumes one by one where they differ.
 */
export function restartText(without: PathMap["without"][number]): string {
  const { leaves, name } = without;
  if (leaves.length === 0) return `Restarting ${name} affects no paths.`;
  const low = leaves.filter((volume) => volume.healthy === 0);
  if (low.length > 0)
    return `Restarting ${name} takes down all paths to ${low.length === leaves.length ? "all volumes" : low.map((volume) => volume.name).join(", ")}.`;
  const first = leaves[0];
  if (first && leaves.every((volume) => volume.healthy === first.healthy && volume.total === first.total)) {
    return `While ${name} restarts, ${first.healthy} of ${first.total} paths to ${leaves.length === 1 ? first.name : "every volume"} stay up.`;
  }
  return `While ${name} restarts, ${leaves.map((volume) => `${volume.healthy} of ${volume.total} paths to ${volume.name}`).join(", ")} stay up.`;
}

const unique = (words: string[]): string[] => [...new Set(words)];

const stack = (boxes: number, each: number, gap: number): number => boxes * each + (boxes - 1) * gap;

const firstAdapter = (map: PathMap, portal: string, ids: string[]): number =>
  Math.min(
    ...map.paths
      .filter((path) => (path.portal || NO_PORTAL) === portal)
      .map((path) => (ids.includes(path.adapter) ? ids.indexOf(path.adapter) : ids.length)),
  );

const compareAddress = (a: string, b: string): number => a.localeCompare(b, "en", { numeric: true });
