import type { Session } from "@/entities/person/types";

/** Why there is a password to set, or none. */
export function passwordHint(session: Pick<Session, "provider" | "must_set_password">): string {
  if (session.provider) return `You sign in at ${session.provider} and have no password here.`;
  if (session.must_set_password)
    return "An admin set your password or changed your permissions. Set your own password: until then you can't approve anything.";
  return "Only you know your password. No one else can read it, not even an admin.";
}

/** Why there is a second factor to add. */
export function factorHint(session: Pick<Session, "second_factors" | "must_add_second_factor">): string {
  if (session.must_add_second_factor) return "Approvers need a second factor here. Add one: until then you can't approve anything.";
  if (session.second_factors.length > 0) return "One of these is required at sign-in, after the password.";
  return "With a second factor, a stolen password alone is not enough to sign in as you.";
}

/** The kind of a second factor. */
export const factorKind = (kind: "authenticator" | "passkey"): string => (kind === "passkey" ? "Passkey" : "Authenticator app");

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
