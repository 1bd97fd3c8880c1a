import { expect, test } from "vitest";
import { citationText } from "./labels";

test.each([
  ["4.2.7", "§4.2.7"],
  ["6, 3.3, Appendix D", "§6, §3.3, Appendix D"],
  ["4.1.3, Figures 5-7", "§4.1.3, Figures 5-7"],
  ["B.9, Figure 22", "§B.9, Figure 22"],
  ["Table 6, Table 7", "Table 6, Table 7"],
  ["", ""],
])("%s reads %s", (at, text) => {
  expect(citationText(at)).toBe(text);
});
