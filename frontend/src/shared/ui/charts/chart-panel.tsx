import { ActionIcon, Menu } from "@mantine/core";
import { IconDotsVertical, IconPhotoDown, IconTable } from "@tabler/icons-react";
import { type ComponentProps, type ReactNode, useRef, useState } from "react";
import { measured, NO_DATA } from "@/shared/lib/format";
import { exact } from "@/shared/lib/time";
import styles from "./chart-panel.module.css";
import { ChartTable } from "./chart-table";
import { LazyTimeChart } from "./lazy-time-chart";
import { lineStyle } from "./line-style";
import { type PictureText, savePng, saveSvg } from "./save-picture";

type ChartProps = ComponentProps<typeof LazyTimeChart>;

interface ChartPanelProps extends ChartProps {
  from: number;
  to: number;
  /** Beside the title: where the figures are from, how many hosts. */
  subtitle?: ReactNode;
  /** Said below the chart: how many readings a point stands for, what the host does not give. */
  notes?: string[];
  /** Beginning of the names of the files. */
  fileName: string;
  /** Beside the menu, such as the export as CSV. */
  actions?: ReactNode;
  /** Below the chart, such as statistics. */
  children?: ReactNode;
}

/** A chart with its title, and the same figures as a table and as pictures to take along. */
export function ChartPanel({ subtitle, notes = [], fileName, actions, children, ...chart }: ChartPanelProps) {
  const frame = useRef<HTMLDivElement>(null);
  const [hasTable, setTable] = useState(false);
  const isEmpty = !chart.series.some((one) => one.points.some(([, figure]) => figure !== null));
  const picture = (): PictureText => ({
    title: chart.title,
    subtitle: `${exact(new Date(chart.from).toISOString(), chart.zone)} to ${exact(new Date(chart.to).toISOString(), chart.zone)}`,
    lines: chart.series.map((one, at) => ({
      label: one.label,
      stroke: one.colour ?? lineStyle(at).stroke,
      dash: one.isComparison ? "1 3" : lineStyle(at).strokeDasharray,
    })),
    notes: [
      ...(chart.references ?? []).map((one) => `${measured(one.value, chart.series[0]?.unit ?? "")}: ${one.label} (${one.source})`),
      ...notes,
    ],
  });
  const save = (as: typeof savePng | typeof saveSvg) => () => {
    if (frame.current) void as(frame.current, fileName, picture());
  };
  return (
    <section className={styles.panel} aria-label={chart.title}>
      <div className={styles.head}>
        <h3>
          {chart.title} {subtitle ? <span className="dim">{subtitle}</span> : null}
        </h3>
        <div className={styles.actions}>
          {actions}
          <Menu position="bottom-end">
            <Menu.Target>
              <ActionIcon variant="subtle" size="sm" aria-label={`More for ${chart.title}`} data-print="no">
                <IconDotsVertical size={15} />
              </ActionIcon>
            </Menu.Target>
            <Menu.Dropdown>
              <Menu.Item leftSection={<IconTable size={14} />} onClick={() => setTable(!hasTable)}>
                {hasTable ? "Hide table" : "Show table"}
              </Menu.Item>
              <Menu.Item leftSection={<IconPhotoDown size={14} />} disabled={isEmpty} onClick={save(savePng)}>
                Save as PNG
              </Menu.Item>
              <Menu.Item leftSection={<IconPhotoDown size={14} />} disabled={isEmpty} onClick={save(saveSvg)}>
                Save as SVG
              </Menu.Item>
            </Menu.Dropdown>
          </Menu>
        </div>
      </div>
      <div ref={frame}>
        {isEmpty ? (
          <p className="dim" style={{ height: chart.height }}>
            {NO_DATA} No data in this range.
          </p>
        ) : (
          <LazyTimeChart {...chart} />
        )}
      </div>
      {notes.map((note) => (
        <p key={note} className={`dim small ${styles.note}`}>
          {note}
        </p>
      ))}
      {children}
      {hasTable ? <ChartTable title={chart.title} series={chart.series} zone={chart.zone} /> : null}
    </section>
  );
}
