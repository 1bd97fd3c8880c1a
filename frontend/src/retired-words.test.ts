import ts from "typescript";
import { expect, it } from "vitest";
import list from "../../docs/retired-words.json" with { type: "json" };

/*
 * No text of a page uses a word that the glossary retired. Texts are taken from the code as it is: text between tags, and strings that are
 * shown. A string without a blank counts where it is a label; anywhere else it is a state, a field or a path, which keep their names.
 */

const FILES = import.meta.glob<string>(["/src/**/*.ts", "/src/**/*.tsx", "!/src/**/*.test.*", "!/src/**/*.gen.ts"], {
  query: "?raw",
  import: "default",
  eager: true,
});

const RETIRED = new RegExp(`(?<![\\w-])(?:${Object.keys(list.words).join("|")})(?![\\w-])`, "gi");

/** Properties whose string is shown as it is. */
const LABELS = /^(?:label|title|description|placeholder|head|aria-label|words|text|message|none|note|unit|alt)$/;

/** file, word: why the text needs it. */
const ALLOWED: Record<string, string> = {};

interface Shown {
  file: string;
  line: number;
  text: string;
}

function labelOf(node: ts.Node): string {
  const parent = node.parent;
  if (ts.isJsxAttribute(parent) || ts.isPropertyAssignment(parent)) return parent.name.getText().replaceAll('"', "");
  return "";
}

/** All that a file shows. What is inserted into a text stands in it as `{}`. */
function shownIn(file: string, code: string): Shown[] {
  const found: Shown[] = [];
  const source = ts.createSourceFile(file, code, ts.ScriptTarget.Latest, true, file.endsWith("x") ? ts.ScriptKind.TSX : ts.ScriptKind.TS);
  const add = (node: ts.Node, text: string, isLabel: boolean) => {
    const plain = text.replace(/\s+/g, " ").trim();
    if (/[a-z]/i.test(plain) && (isLabel || plain.includes(" ")))
      found.push({ file, line: source.getLineAndCharacterOfPosition(node.getStart()).line + 1, text: plain });
  };
  const visit = (node: ts.Node) => {
    if (ts.isImportDeclaration(node)) return;
    if (ts.isJsxText(node)) add(node, node.text, true);
    else if (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node)) add(node, node.text, LABELS.test(labelOf(node)));
    else if (ts.isTemplateExpression(node))
      add(node, node.head.text + node.templateSpans.map((span) => `{}${span.literal.text}`).join(""), false);
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

const retiredIn = (text: string): string[] => text.match(RETIRED) ?? [];

it("no text of a page uses a retired word", () => {
  const shown = Object.entries(FILES).flatMap(([file, code]) => shownIn(file, code));
  expect(shown.length).toBeGreaterThan(3_000);
  const wrong = shown.flatMap(({ file, line, text }) =>
    retiredIn(text)
      .filter((word) => !(`${file} ${word.toLowerCase()}` in ALLOWED))
      .map((word) => `${file}:${line} “${word}” in “${text}”`),
  );
  expect(wrong).toEqual([]);
});

it.each(["Say who broke the glass", "a guard-rail fails", "at least 15 %", "on PROD and all below it", "It stands here."])(
  "finds what it is for: %s",
  (text) => expect(retiredIn(text)).not.toEqual([]),
);

it("reads text between tags, labels and templates, and no codes", () => {
  const code = `const a = <p title="told">It is <b>mended</b></p>; const b = \`gate $\{x} shut\`; const c = "slot";`;
  expect(shownIn("/src/a.tsx", code).map((one) => one.text)).toEqual(["told", "It is", "mended", "gate {} shut"]);
});
