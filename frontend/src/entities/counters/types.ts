import type { Schemas } from "@/shared/api/schemas";

export type Charts = Schemas["Charts"];
export type ChartLine = Schemas["ChartLine"];
export type ChartHost = Schemas["ChartHost"];
export type FleetCharts = Schemas["FleetCharts"];
export type FleetCell = Schemas["FleetCell"];
export type FleetFigure = Schemas["FleetFigure"];
export type Watch = Schemas["WatchOut"];
