import type { Session } from "@/entities/person/types";

/** Why there is a password to set, or none. */
export function passwordHint(session: Pick<Session, "provider" | "must_set_password">): string {
  if (session.provider) return `You sign in at ${session.provider} and have no password here.`;
  if (session.must_set_password)
    return "An admin set your password or changed your rights. Set a password of your own: until then you cannot approve anything.";
  return "Only you know your password. No one else can read it, not even an admin.";
}

const BROWSERS = [
  ["Edg/", "Edge"],
  ["Firefox/", "Firefox"],
  ["Chrome/", "Chrome"],
  ["Safari/", "Safari"],
] as const;
const SYSTEMS = [
  ["Windows", "Windows"],
  ["Android", "Android"],
  ["iPhone", "iPhone"],
  ["iPad", "iPad"],
  ["Mac OS X", "macOS"],
  ["Linux", "Linux"],
] as const;

/** "Firefox on Linux" of a browser's `User-Agent`; what is not known is left out. */
export function deviceText(agent: string): string {
  const find = (known: readonly (readonly [string, string])[]) => known.find(([mark]) => agent.includes(mark))?.[1];
  const browser = find(BROWSERS);
  const system = find(SYSTEMS);
  if (browser && system) return `${browser} on ${system}`;
  return browser ?? system ?? "Unknown device";
}
