import { saveFile } from "@/shared/lib/save-file";
import { stringifySearch } from "@/shared/lib/search";
import { ApiProblem } from "./problem";

/** Filters as the list itself sends them. */
export type Filters = Record<string, string | number | boolean | readonly (string | number)[] | null | undefined>;

/** Fetches a table as CSV and gives it to the browser as a file; the server writes down who took it. Throws an ApiProblem. */
export async function download(table: `${string}.csv`, filters: Filters = {}): Promise<void> {
  const response = await fetch(`/api/v1/exports/${table}${stringifySearch(filters)}`, { credentials: "same-origin" });
  if (!response.ok) throw await ApiProblem.from(response);
  const named = /filename="([^"]+)"/.exec(response.headers.get("content-disposition") ?? "");
  saveFile(named?.[1] ?? "plumbline.csv", await response.blob());
}
