import { type ComponentProps, lazy, Suspense } from "react";
import { LoadingSkeleton } from "@/shared/ui/query-panel";

const TimeChart = lazy(() => import("./time-chart"));

/** The chart with a skeleton of its own size while its code comes. */
export function LazyTimeChart(props: ComponentProps<typeof TimeChart>) {
  return (
    <Suspense fallback={<LoadingSkeleton height={props.height} lines={1} />}>
      <TimeChart {...props} />
    </Suspense>
  );
}
