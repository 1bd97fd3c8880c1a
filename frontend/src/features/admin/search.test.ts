import { expect, it } from "vitest";
import { ADMIN_TABS, adminSearch } from "./search";

it("keeps every tab in the address, also one as it was written before, and drops what is none", () => {
  for (const tab of ADMIN_TABS) expect(adminSearch.parse({ tab }).tab).toBe(tab);
  expect(adminSearch.parse({ tab: "sign_in" }).tab).toBe("sign-in");
  expect(adminSearch.parse({ tab: "nonsense" }).tab).toBeUndefined();
  expect(adminSearch.parse({ tab: ["people", "audit"] }).tab).toBeUndefined();
});
