import { expect, test } from "vitest";
import { type ApiDocument, isFound, operationsOf, typeText } from "./document";

const DOCUMENT: ApiDocument = {
  info: { version: "1" },
  paths: {
    "/api/v1/hosts": {
      get: {
        operationId: "list_hosts",
        description: "One page of hosts.",
        tags: ["hosts"],
        "x-right": "host.read",
        parameters: [{ name: "q", in: "query", schema: { type: "string" } }],
        responses: {
          "200": { content: { "application/json": { schema: { $ref: "#/components/schemas/HostPage" } } } },
          "401": {},
        },
      },
    },
    "/api/v1/reports": {
      post: {
        operationId: "request_report",
        tags: ["reports"],
        requestBody: { content: { "application/json": { schema: { $ref: "#/components/schemas/ReportCreate" } } } },
        responses: {
          "201": { content: { "application/json": { schema: { type: "array", items: { $ref: "#/components/schemas/HostPage" } } } } },
        },
      },
    },
  },
  components: {
    schemas: {
      HostPage: {
        properties: {
          items: { type: "array", items: { $ref: "#/components/schemas/HostRow" } },
          next: { anyOf: [{ type: "string" }, { type: "null" }] },
        },
      },
      ReportCreate: { properties: { group_id: { type: "integer" } }, required: ["group_id"] },
    },
  },
};

test("operations have their parameters, body and answer", () => {
  const [hosts, reports] = operationsOf(DOCUMENT);
  expect(hosts).toMatchObject({ id: "list_hosts", right: "host.read", answer: "200, HostPage", errors: ["401"] });
  expect(hosts?.parameters).toEqual([{ name: "q", type: "string", isRequired: false, place: "query" }]);
  expect(hosts?.answerFields.map((field) => field.type)).toEqual(["list of HostRow", "string or null"]);
  expect(reports?.body).toEqual([{ name: "group_id", type: "integer", isRequired: true, place: "body" }]);
  expect(reports?.answer).toBe("201, list of HostPage");
});

test("a search finds every word somewhere", () => {
  const [hosts] = operationsOf(DOCUMENT);
  if (!hosts) throw new Error("no operation");
  expect(isFound(hosts, "GET host.read")).toBe(true);
  expect(isFound(hosts, "")).toBe(true);
  expect(isFound(hosts, "get reports")).toBe(false);
});

test.each([
  [{ enum: ["a", "b"] }, "“a”, “b”"],
  [{ type: "string", format: "date-time" }, "time"],
  [{}, "anything"],
])("a type in words", (schema, words) => {
  expect(typeText(schema)).toBe(words);
});
