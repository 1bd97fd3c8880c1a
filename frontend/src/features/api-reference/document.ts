/** The parts of the OpenAPI document that the page shows. */

interface Schema {
  $ref?: string;
  type?: string;
  format?: string;
  enum?: unknown[];
  const?: unknown;
  items?: Schema;
  anyOf?: Schema[];
  properties?: Record<string, Schema>;
  required?: string[];
  description?: string;
  default?: unknown;
}

interface RawOperation {
  operationId: string;
  description?: string;
  tags?: string[];
  parameters?: { name: string; in: string; required?: boolean; description?: string; schema: Schema }[];
  requestBody?: { content: Record<string, { schema: Schema }> };
  responses: Record<string, { description?: string; content?: Record<string, { schema: Schema }> }>;
  "x-right"?: string;
}

export interface ApiDocument {
  info: { version: string };
  paths: Record<string, Record<string, RawOperation>>;
  components: { schemas: Record<string, Schema> };
}

export interface Field {
  name: string;
  type: string;
  isRequired: boolean;
  place: string;
}

export interface Operation {
  id: string;
  method: string;
  path: string;
  tag: string;
  text: string;
  right: string;
  parameters: Field[];
  body: Field[];
  answer: string;
  answerFields: Field[];
  errors: string[];
}

const METHODS = ["get", "post", "put", "patch", "delete"];

/** Every operation in the order of tags, paths and methods. */
export function operationsOf(document: ApiDocument): Operation[] {
  const found = Object.entries(document.paths).flatMap(([path, methods]) =>
    METHODS.flatMap((method) => {
      const raw = methods[method];
      return raw ? [operationOf(document, path, method, raw)] : [];
    }),
  );
  return found.sort(
    (a, b) => a.tag.localeCompare(b.tag) || a.path.localeCompare(b.path) || METHODS.indexOf(a.method) - METHODS.indexOf(b.method),
  );
}

function operationOf(document: ApiDocument, path: string, method: string, raw: RawOperation): Operation {
  const [status = "", answer] = Object.entries(raw.responses).find(([code]) => code.startsWith("2")) ?? [];
  const [media, content] = Object.entries(answer?.content ?? {})[0] ?? [];
  const body = Object.values(raw.requestBody?.content ?? {})[0];
  return {
    id: raw.operationId,
    method,
    path,
    tag: raw.tags?.[0] ?? "other",
    text: raw.description ?? "",
    right: raw["x-right"] ?? "",
    parameters: (raw.parameters ?? []).map((one) => ({
      name: one.name,
      type: typeText(one.schema),
      isRequired: one.required ?? false,
      place: one.in,
    })),
    body: body ? fieldsOf(document, body.schema) : [],
    answer: content ? `${status}, ${media === "application/json" ? typeText(content.schema) : media}` : status,
    answerFields: content && media === "application/json" ? fieldsOf(document, content.schema) : [],
    errors: Object.keys(raw.responses).filter((code) => code.startsWith("4") || code.startsWith("5")),
  };
}

/** The fields of an object, or of the objects in a list. */
function fieldsOf(document: ApiDocument, schema: Schema): Field[] {
  const shape = resolved(document, schema.type === "array" && schema.items ? schema.items : schema);
  return Object.entries(shape.properties ?? {}).map(([name, one]) => ({
    name,
    type: typeText(one),
    isRequired: shape.required?.includes(name) ?? false,
    place: "body",
  }));
}

function resolved(document: ApiDocument, schema: Schema): Schema {
  return schema.$ref ? (document.components.schemas[nameOf(schema.$ref)] ?? {}) : schema;
}

const nameOf = (ref: string): string => ref.slice(ref.lastIndexOf("/") + 1);

/** A type in a few words: "string", "integer or null", "list of HostRow", "“fail”, “pass”". */
export function typeText(schema: Schema): string {
  if (schema.$ref) return nameOf(schema.$ref);
  if (schema.enum) return schema.enum.map((value) => `“${String(value)}”`).join(", ");
  if (schema.const !== undefined) return `“${String(schema.const)}”`;
  if (schema.anyOf) return schema.anyOf.map(typeText).join(" or ");
  if (schema.type === "array") return `list of ${schema.items ? typeText(schema.items) : "anything"}`;
  if (schema.format === "date-time") return "time";
  return schema.type ?? "anything";
}

/** Whether each word that was typed is somewhere in the operation. */
export function isFound(operation: Operation, typed: string): boolean {
  const text = [operation.method, operation.path, operation.id, operation.tag, operation.text, operation.right].join(" ").toLowerCase();
  return typed
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}
