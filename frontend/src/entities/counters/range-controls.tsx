import { ActionIcon, Group, Select } from "@mantine/core";
import { IconChevronLeft, IconChevronRight, IconZoomIn, IconZoomOut } from "@tabler/icons-react";
import { moment } from "@/shared/lib/time";
import { useZone } from "@/shared/ui/time-ago";
import { DEFAULT_HOURS, moved, RANGES, type Range, zoomedIn, zoomedOut } from "./ranges";

interface RangeControlsProps {
  range: Range;
  setRange: (range: Range) => void;
  /** The span that the answer covers; the buttons work on it. */
  shown: { from: string; to: string } | undefined;
  /** What is shown without a range: so many hours, or null for a span of the page's own. */
  standard?: number | null;
}

/** Picks the range of all charts of a page; what dragging over a chart does, the buttons do by keyboard. */
export function RangeControls({ range, setRange, shown, standard = DEFAULT_HOURS }: RangeControlsProps) {
  const zone = useZone();
  const isFixed = range.from !== undefined || range.to !== undefined || (standard === null && range.hours === undefined);
  const hours = String(range.hours ?? standard ?? DEFAULT_HOURS);
  const own = isFixed && shown ? { value: "fixed", label: `${moment(shown.from, zone)} to ${moment(shown.to, zone)}` } : null;
  const other = RANGES.some((one) => one.value === hours) ? null : { value: hours, label: `Last ${hours} hours` };
  const from = shown ? Date.parse(shown.from) : 0;
  const to = shown ? Date.parse(shown.to) : 0;
  const buttons = [
    { label: "Earlier", icon: IconChevronLeft, act: () => moved(from, to, -1, Date.now()) },
    { label: "Later", icon: IconChevronRight, act: () => moved(from, to, 1, Date.now()) },
    { label: "Zoom in", icon: IconZoomIn, act: () => zoomedIn(from, to) },
    { label: "Zoom out", icon: IconZoomOut, act: () => zoomedOut(from, to, Date.now()) },
  ];
  return (
    <Group gap={4} wrap="nowrap" align="end">
      <Select
        label="Range"
        size="xs"
        w={isFixed ? 210 : 140}
        allowDeselect={false}
        data={[...(own ? [own] : []), ...RANGES, ...(other ? [other] : [])]}
        value={own ? "fixed" : hours}
        onChange={(chosen) => {
          if (chosen === null || chosen === "fixed") return;
          setRange({ hours: Number(chosen) === standard ? undefined : Number(chosen), from: undefined, to: undefined });
        }}
      />
      {buttons.map(({ label, icon: Icon, act }) => (
        <ActionIcon key={label} variant="default" size={30} aria-label={label} disabled={!shown} onClick={() => setRange(act())}>
          <Icon size={15} />
        </ActionIcon>
      ))}
    </Group>
  );
}
