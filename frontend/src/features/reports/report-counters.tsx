import { ChartPanel } from "@/shared/ui/charts/chart-panel";
import { useZone } from "@/shared/ui/time-ago";
import type { FrozenCounters } from "./frozen";

type Figure = FrozenCounters["figures"][number];

/** Left out unless there were some: without them their charts say nothing. */
const RARE: readonly string[] = ["errors", "pauses"];
const LEFT_OUT: readonly string[] = ["operations", "cpu"];

const isShown = ({ name, highest }: Figure) => !LEFT_OUT.includes(name) && (!RARE.includes(name) || highest > 0);

/** The counters of the report's hosts over its period, as they were known when it was made. */
export function ReportCounters({ counters }: { counters: FrozenCounters }) {
  const zone = useZone();
  const from = Date.parse(counters.from);
  const at = (place: number) => from + place * counters.step_hours * 3_600_000;
  const steps = new Map(counters.steps.map((step) => [step.place, step]));
  const places = Array.from({ length: counters.places }, (_, place) => place);
  return (
    <section className="section" aria-label="Counters in this period">
      <h2>
        Counters in this period{" "}
        <span className="dim">
          all hosts of this report, {counters.step_hours === 1 ? "an hour" : `${counters.step_hours} hours`} a step
        </span>
      </h2>
      {counters.figures.length === 0 ? <p className="dim">{counters.words}</p> : null}
      {counters.figures.filter(isShown).map((figure) => (
        <ChartPanel
          key={figure.name}
          title={figure.label}
          subtitle={`mean ${figure.mean_words}, highest ${figure.highest_words}`}
          fileName={`plumbline report ${figure.label}`.toLowerCase().replaceAll(/[^a-z0-9]+/g, "-")}
          series={[
            {
              id: figure.name,
              label: figure.label,
              unit: figure.unit,
              points: places.map((place) => [at(place), figureOf(steps.get(place), figure.name)]),
            },
          ]}
          from={from}
          to={Date.parse(counters.to)}
          height={150}
          zone={zone}
          syncId="report-counters"
          references={
            figure.limit === null ? [] : [{ value: figure.limit, label: "Limit of a symptom", source: figure.limit_source, isLimit: true }]
          }
        />
      ))}
    </section>
  );
}

function figureOf(step: FrozenCounters["steps"][number] | undefined, name: string): number | null {
  const value = step?.[name];
  return typeof value === "number" ? value : null;
}
