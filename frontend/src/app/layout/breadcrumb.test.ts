import { expect, it } from "vitest";
import { router } from "@/app/router";
import { names } from "./breadcrumb";

it("names every page", () => {
  const pages = Object.keys(router.routesByPath).filter((path) => !path.includes("$"));
  expect(pages.length).toBeGreaterThan(15);
  expect(pages.map((path) => path.split("/")[1] ?? "").filter((first) => !(first in names))).toEqual([]);
});
