import { useElementSize, useMergedRef } from "@mantine/hooks";
import { useCallback, useState } from "react";
import { visible } from "@/shared/lib/text";
import { type Box, layoutPaths, pathStateLabel, pathsText, type Wire } from "./path-layout";
import styles from "./paths.module.css";
import type { PathMap } from "./types";

/** The path map as a picture: adapter, portal, volume, and a line for every path between them. */
export function PathPicture({ map, mostVolumes }: { map: PathMap; mostVolumes: number }) {
  const { ref, width: observed } = useElementSize();
  // The observer speaks a moment later, and not at all where nothing is painted: as in a page that is printed.
  const [atFirst, setAtFirst] = useState(0);
  const measured = useMergedRef(
    ref,
    useCallback((node: HTMLDivElement | null) => {
      if (node) setAtFirst(node.clientWidth);
    }, []),
  );
  const width = observed || atFirst;
  const picture = width > 0 ? layoutPaths(map, { width: Math.max(300, width), mostVolumes }) : null;
  return (
    <div ref={measured} className={styles.picture}>
      {picture ? (
        <svg width="100%" viewBox={`0 0 ${picture.width} ${picture.height}`} role="img" aria-label={pathsText(map)}>
          <g className={styles.heads}>
            <text x={2} y={12}>
              Adapters
            </text>
            <text x={picture.width / 2} y={12} textAnchor="middle">
              Portals
            </text>
            <text x={picture.width - 2} y={12} textAnchor="end">
              Volumes
            </text>
          </g>
          {picture.wires.map((wire) => (
            <WireLine key={wire.key} wire={wire} />
          ))}
          {picture.fabrics.map((fabric) => (
            <text key={fabric.label} x={2} y={fabric.y} className={styles.fabric}>
              Fabric {visible(fabric.label)}
            </text>
          ))}
          {[...picture.adapters, ...picture.portals, ...picture.volumes].map((box) => (
            <BoxFrame key={`${box.x} ${box.id}`} box={box} />
          ))}
        </svg>
      ) : (
        <div style={{ height: 180 }} />
      )}
    </div>
  );
}

function WireLine({ wire }: { wire: Wire }) {
  const { from, to } = wire;
  const bend = (to.x - from.x) / 2;
  const at = { x: from.x + bend, y: (from.y + to.y) / 2 };
  return (
    <g className={styles.wire} data-state={wire.state}>
      <path d={`M${from.x} ${from.y}C${from.x + bend} ${from.y} ${to.x - bend} ${to.y} ${to.x} ${to.y}`} />
      {wire.state === "dead" ? <path className={styles.mark} d={`m${at.x - 4} ${at.y - 4} 8 8m0-8-8 8`} /> : null}
      {wire.state === "unknown" ? (
        <text className={styles.mark} x={at.x} y={at.y + 4} textAnchor="middle">
          ?
        </text>
      ) : null}
    </g>
  );
}

/** Rough width of a character of the label font, in pixels; enough to shorten a long name. */
const CHARACTER = 6.7;
const SMALL_CHARACTER = 5.9;

function BoxFrame({ box }: { box: Box }) {
  const most = (index: number) => Math.floor((box.width - 10) / (index === 0 ? CHARACTER : SMALL_CHARACTER));
  const lines = [box.lines[0] ?? "", box.issue || box.lines[1] || ""].filter(Boolean);
  const isSmall = box.height < 30;
  const shown = isSmall ? lines.slice(0, 1) : lines;
  return (
    <g>
      <title>{visible([...box.lines, box.issue].filter(Boolean).join(", "))}</title>
      <rect
        x={box.x}
        y={box.y}
        width={box.width}
        height={box.height}
        rx={5}
        className={styles.box}
        data-issue={box.issue !== "" || undefined}
      />
      {shown.map((line, index) => (
        <text
          key={line}
          x={box.x + box.width / 2}
          y={box.y + box.height / 2 + (shown.length === 1 ? 4 : index === 0 ? -3 : 12)}
          textAnchor="middle"
          className={index === 0 ? styles.name : box.issue ? styles.issue : styles.sub}
        >
          {clip(visible(line), most(index))}
        </text>
      ))}
    </g>
  );
}

/** Shortens in the middle, since names of volumes and addresses differ at their ends. */
function clip(text: string, most: number): string {
  if (text.length <= most) return text;
  const head = Math.ceil((most - 1) / 2);
  return `${text.slice(0, head)}…${text.slice(text.length - (most - 1 - head))}`;
}

/** What the lines mean; form as well as colour. */
export function PathLegend() {
  return (
    <ul className={styles.legend}>
      {(["healthy", "standby", "dead", "unknown"] as const).map((state) => (
        <li key={state}>
          <svg width="34" height="10" viewBox="0 0 34 10" aria-hidden="true" className={styles.wire} data-state={state}>
            <path d="M1 5H33" />
            {state === "dead" ? <path className={styles.mark} d="m13 1 8 8m0-8-8 8" /> : null}
          </svg>
          {pathStateLabel(state)}
        </li>
      ))}
    </ul>
  );
}
