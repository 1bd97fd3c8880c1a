import { z } from "zod";

/**
 * The query part of an address, as people share it: plain names, a name given twice for a list. The router's own form is
 * JSON in the address, which nobody can read or type.
 */
type SearchValues = Record<string, string | string[]>;

export function parseSearch(text: string): SearchValues {
  const values: SearchValues = {};
  for (const [key, item] of new URLSearchParams(text)) {
    const before = values[key];
    if (before === undefined) values[key] = item;
    else values[key] = Array.isArray(before) ? [...before, item] : [before, item];
  }
  return values;
}

export function stringifySearch(search: Record<string, unknown>): string {
  const params = new URLSearchParams();
  for (const [key, item] of Object.entries(search)) {
    if (item === undefined || item === null || item === "") continue;
    for (const one of Array.isArray(item) ? item : [item]) params.append(key, String(one));
  }
  const text = params.toString().replaceAll("%2F", "/").replaceAll("%3A", ":");
  return text ? `?${text}` : "";
}

/** A text parameter; anything else counts as not given, so that a bad address falls back and never crashes. */
export const text = z.string().min(1).max(400).optional().catch(undefined);

/** A parameter that may be given several times; always a list. */
export const list = z
  .union([z.string().transform((one) => [one]), z.array(z.string())])
  .optional()
  .catch(undefined);

/** A whole number within bounds. */
export const number = (from: number, to: number) => z.coerce.number().int().min(from).max(to).optional().catch(undefined);

/** One of a closed list of words. */
export const oneOf = <const T extends readonly [string, ...string[]]>(words: T) => z.enum(words).optional().catch(undefined);

/** Adds a value to a list parameter or takes it out; an empty list leaves the address. */
export function toggled(values: readonly string[] | undefined, one: string): string[] | undefined {
  const now = values ?? [];
  const next = now.includes(one) ? now.filter((item) => item !== one) : [...now, one];
  return next.length > 0 ? next : undefined;
}

/** A list of words from a closed list; words outside it are dropped. */
export const listOf = <const T extends readonly [string, ...string[]]>(words: T) =>
  z
    .union([z.string().transform((one) => [one]), z.array(z.string())])
    .transform((given) => given.filter((one): one is T[number] => words.includes(one)))
    .transform((kept) => (kept.length > 0 ? kept : undefined))
    .optional()
    .catch(undefined);

/** A list of the ids of hosts; anything that is none is dropped. */
export const hostIds = z
  .union([z.string().transform((one) => [one]), z.array(z.string())])
  .transform((given) => given.filter((one) => /^[0-9a-f]{32}$/.test(one)))
  .transform((kept) => (kept.length > 0 ? kept : undefined))
  .optional()
  .catch(undefined);

/** The largest number that a row can have. */
const LAST_ROW = 2 ** 31 - 1;

/** A list of row numbers; anything that is none is dropped. */
export const numbers = z
  .union([z.string().transform((one) => [one]), z.number().transform((one) => [String(one)]), z.array(z.union([z.string(), z.number()]))])
  .transform((given) => given.map(Number).filter((one) => Number.isInteger(one) && one > 0 && one <= LAST_ROW))
  .transform((kept) => (kept.length > 0 ? kept : undefined))
  .optional()
  .catch(undefined);
