import { expect, test } from "vitest";
import { bodyProblem, linkProblem, TICKET_FORMS } from "./ticket-form";

test.each(Object.entries(TICKET_FORMS))("the form of %s can be sent once the site's own names are in it", (_, { form }) => {
  expect(bodyProblem(form.body.replace(/<.*>/, "ours"))).toBeNull();
  expect(linkProblem(form.link.replace(/<.*>/, "ours"))).toBeNull();
});

test("the forms are those of the documentation", () => {
  const [notices = ""] = Object.values(
    import.meta.glob<string>("../../../../docs/notices.md", { query: "?raw", import: "default", eager: true }),
  );
  const lines = notices.split("\n");
  const cells = (name: string) => {
    const line = lines.find((each) => each.startsWith(`| ${name} | \``)) ?? "";
    return line
      .split("|")
      .map((each) => each.trim().replaceAll("`", ""))
      .slice(2, 4);
  };
  const forms = [TICKET_FORMS.servicenow, TICKET_FORMS.jira];
  expect(cells("address")).toEqual(forms.map((each) => each?.placeholder));
  expect(cells("body").map((each) => JSON.parse(each))).toEqual(forms.map((each) => JSON.parse(each?.form.body ?? "")));
  expect(cells("number")).toEqual(forms.map((each) => each?.form.number));
  expect(cells("link")).toEqual(forms.map((each) => each?.form.link));
});

test("a body that cannot work says why", () => {
  expect(bodyProblem("{")).toMatch(/^Not JSON: /);
  expect(bodyProblem("[]")).toBe("Enter a JSON object: {…}");
  expect(bodyProblem('{"a": "{{title}}", "project": "<KEY>"}')).toContain("your own name");
  expect(bodyProblem('{"a": "b"}')).toBe("Use {{title}} or {{description}} in it");
});

test("a link is https, has the number, and no gap left to fill in", () => {
  expect(linkProblem("")).toBeNull();
  expect(linkProblem("https://<site>.atlassian.net/browse/{{number}}")).toContain("your own name");
  expect(linkProblem("http://x.example.com/{{number}}")).toContain("https");
  expect(linkProblem("https://x.example.com/")).toContain("{{number}}");
});
