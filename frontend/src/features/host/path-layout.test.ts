import { describe, expect, it } from "vitest";
import { layoutPaths, pathsText, restartText } from "./path-layout";
import type { PathMap } from "./types";

const path = (volume: string, adapter: string, portal: string, state = "healthy") => ({
  volume,
  adapter,
  portal,
  state,
  initiator: "iqn",
  target: "t",
  source_address: "",
  runtime_name: "",
});
const adapter = (id: string, fabric: string) => ({
  id,
  name: id.toUpperCase(),
  role: "san_iscsi",
  family: "x520",
  fabric,
  link_up: true,
  addresses: [],
  issue: "",
  switch: null,
});
const volume = (id: string, healthy: number, total: number) => ({ id, name: id, size_bytes: null, policy: "", module: "", healthy, total });

const map: PathMap = {
  problem: "",
  volumes: [volume("v1", 2, 3), volume("v2", 1, 1)],
  adapters: [adapter("b", "B"), adapter("a", "A"), adapter("idle", "A")],
  portals: [],
  paths: [path("v1", "a", "10.0.0.1"), path("v1", "b", "10.0.0.2"), path("v1", "", "", "dead"), path("v2", "a", "10.0.0.1", "dead")],
  without: [],
};

describe("the picture of the paths", () => {
  it("has a box for every adapter that carries a path, by fabric, and one for paths that no witness places", () => {
    const picture = layoutPaths(map, { width: 800, mostVolumes: 8 });
    expect(picture.adapters.map((box) => box.lines[0])).toEqual(["A", "B", "Unknown adapter"]);
    expect(picture.fabrics.map((one) => one.label)).toEqual(["A", "B"]);
  });
  it("shows the worst state on a line that stands for several paths", () => {
    const wires = layoutPaths(map, { width: 800, mostVolumes: 8 }).wires;
    expect(wires.find((wire) => wire.key === "a a 10.0.0.1")).toMatchObject({ state: "dead", paths: 2 });
    expect(wires.find((wire) => wire.key === "a b 10.0.0.2")).toMatchObject({ state: "healthy", paths: 1 });
  });
  it("keeps every box inside and apart from the next", () => {
    const picture = layoutPaths(map, { width: 380, mostVolumes: 1 });
    expect(picture.foldedVolumes).toBe(2);
    for (const column of [picture.adapters, picture.portals, picture.volumes]) {
      column.forEach((box, index) => {
        expect(box.y).toBeGreaterThanOrEqual(0);
        expect(box.y + box.height).toBeLessThanOrEqual(picture.height);
        const next = column[index + 1];
        if (next) expect(box.y + box.height).toBeLessThan(next.y);
      });
    }
  });
  it("is told in words", () => expect(pathsText(map)).toBe("4 paths, 2 adapters, 2 volumes, 2 down"));
});

describe("what a restart leaves", () => {
  const leaves = (one: [string, number, number][]) => ({
    adapter: "a",
    name: "SAN1",
    leaves: one.map(([name, healthy, total]) => ({ volume: name, name, healthy, total })),
  });
  it("is one sentence where all volumes keep the same", () =>
    expect(
      restartText(
        leaves([
          ["v1", 2, 4],
          ["v2", 2, 4],
        ]),
      ),
    ).toBe("While SAN1 restarts, 2 of 4 paths to every volume stay up."));
  it("names the volumes that would lose their last path", () =>
    expect(
      restartText(
        leaves([
          ["v1", 2, 4],
          ["v2", 0, 1],
        ]),
      ),
    ).toBe("Restarting SAN1 takes down all paths to v2."));
});
