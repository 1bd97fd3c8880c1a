import { expect, test } from "vitest";
import { bodyProblem, linkProblem, TICKET_FORMS } from "./ticket-form";

test.each(Object.entries(TICKET_FORMS))("the form of %s can be sent once the site's own name is in its link", (_, { form }) => {
  expect(bodyProblem(form.body)).toBeNull();
  expect(linkProblem(form.link.replace(/<.*>/, "ours"))).toBeNull();
});

test("a body that cannot work says why", () => {
  expect(bodyProblem("{")).toMatch(/^Not JSON: /);
  expect(bodyProblem("[]")).toBe("Enter a JSON object: {…}");
  expect(bodyProblem('{"a": "b"}')).toBe("Use {{title}} or {{description}} in it");
});

test("a link is https, has the number, and no gap left to fill in", () => {
  expect(linkProblem("")).toBeNull();
  expect(linkProblem("https://<site>.atlassian.net/browse/{{number}}")).toContain("your own name");
  expect(linkProblem("http://x.example.com/{{number}}")).toContain("https");
  expect(linkProblem("https://x.example.com/")).toContain("{{number}}");
});
