import type { components } from "./schema.gen";

/** What the API takes and answers; every one of them is generated. Entities and features give them the names that they use. */
export type Schemas = components["schemas"];
