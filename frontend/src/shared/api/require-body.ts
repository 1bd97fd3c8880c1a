/** What came back without a body is a fault of the wire, not an answer. */
export function requireBody<T>(data: T | undefined): T {
  if (data === undefined) throw new TypeError("the answer had no body");
  return data;
}
