import { expect, it } from "vitest";
import { ApiProblem } from "./problem";

const refused = (detail: string) =>
  Response.json({ title: "Invalid input", status: 422, detail, code: "bad_input", request_id: "req-1" }, { status: 422 });

it("tells of an address that no row can have that nothing is there, without the words of a parser", async () => {
  const problem = await ApiProblem.from(refused("path.plan_id: Input should be less than or equal to 2147483647"));
  expect([problem.status, problem.title, problem.requestId]).toEqual([404, "Not found", "req-1"]);
  expect(problem.detail).not.toContain("path.");
});

it("leaves what is wrong with a form as the server said it", async () => {
  const problem = await ApiProblem.from(refused("name: Enter a name."));
  expect([problem.status, problem.message.split(":")[0]]).toEqual([422, "name"]);
});
