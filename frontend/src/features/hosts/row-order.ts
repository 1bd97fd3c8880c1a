/**
 * Puts fresh rows into the order a person is looking at: known rows keep their places with their new content, rows that
 * came since stand at the end, rows that went are left out. Live updates go through here while the pointer or the
 * keyboard is in a list, so that no row moves away from under it.
 */
export function keepOrder<T extends { id: string }>(seen: readonly string[], fresh: readonly T[]): T[] {
  const place = new Map(seen.map((id, index) => [id, index]));
  const known = fresh.filter((row) => place.has(row.id));
  const added = fresh.filter((row) => !place.has(row.id));
  known.sort((a, b) => (place.get(a.id) ?? 0) - (place.get(b.id) ?? 0));
  return [...known, ...added];
}
