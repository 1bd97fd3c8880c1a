// Writes src/shared/api/schema.gen.ts from the API's own OpenAPI document; with --check only compares and fails when it is stale.
// The document comes from the program itself (no server has to run), or from the file or address in PLUMBLINE_OPENAPI.
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import openapiTS, { astToString } from "openapi-typescript";

const here = dirname(fileURLToPath(import.meta.url));
const target = join(here, "..", "src", "shared", "api", "schema.gen.ts");
const root = join(here, "..", "..");

async function document() {
  const given = process.env.PLUMBLINE_OPENAPI;
  if (given?.startsWith("http")) return (await fetch(given)).json();
  if (given) return JSON.parse(readFileSync(given, "utf8"));
  const python = process.env.PYTHON ?? join(root, ".venv", "bin", "python");
  const program = "import json; from plumbline.web.app import create_app; print(json.dumps(create_app().openapi(), sort_keys=True))";
  const env = { ...process.env, PYTHONPATH: join(root, "backend") };
  return JSON.parse(execFileSync(python, ["-c", program], { env, maxBuffer: 64 * 2 ** 20, encoding: "utf8" }));
}

const banner = "// Generated from the API's OpenAPI document by `npm run client`. Never edited by hand.\n\n";
const wanted = banner + astToString(await openapiTS(await document(), { defaultNonNullable: false }));

if (process.argv.includes("--check")) {
  const present = existsSync(target) ? readFileSync(target, "utf8") : "";
  if (present !== wanted) {
    process.stderr.write("src/shared/api/schema.gen.ts is stale: run `npm run client`.\n");
    process.exit(1);
  }
} else {
  writeFileSync(target, wanted);
}
