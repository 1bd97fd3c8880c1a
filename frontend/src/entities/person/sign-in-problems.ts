/**
 * What went wrong on the way to the identity provider and back, in words. Only a code travels in the address: a text there
 * could be anybody's.
 */
const texts: Record<string, string> = {
  provider_unreachable: "The identity provider does not answer. Try again in a minute; a local account works meanwhile.",
  provider_refused: "The identity provider refused. Either you turned back there, or Plumbline is not set up there as it should be.",
  identity_unproven:
    "What the identity provider sent does not prove who you are. Begin again; if it stays so, an admin finds the reason in the audit trail.",
  groups_unknown:
    "The identity provider did not say which groups you are in, so your rights here are not known. An admin can have it send them.",
  no_role_here: "The identity provider knows you, but none of your groups has a role here. Ask an admin to give one of them a role.",
  account_closed: "An admin closed your account here.",
  provider_off: "Signing in at the identity provider is switched off.",
  attempt_over: "That took longer than ten minutes, or was begun in another window. Begin again.",
  secret_closed: "Plumbline cannot open what it needs to speak with the identity provider. An admin has to enter the client secret again.",
  too_many_requests: "Too many sign-ins were begun from this network. Wait ten minutes.",
  somebody_else: "Somebody else confirmed there than is signed in here. Sign out at the identity provider, then confirm again.",
  not_fresh: "The identity provider took an older sign-in and did not ask you again. Sign out there, then confirm again.",
  not_signed_in: "Your session here has ended. Sign in again.",
};

export const signInProblem = (code: string): string => texts[code] ?? "Signing in at the identity provider failed. Begin again.";

/** Takes the code out of the address of this page, so that a reload does not tell it again; empty where there is none. */
export function takeSignInProblem(): string {
  const address = new URL(window.location.href);
  const code = address.searchParams.get("sign_in_problem") ?? "";
  if (code === "") return "";
  address.searchParams.delete("sign_in_problem");
  window.history.replaceState(window.history.state, "", `${address.pathname}${address.search}${address.hash}`);
  return code;
}

/** The page that tells the window that asked for a confirmation how it went. */
export const CONFIRMED_PAGE = "/confirmed";
export const CONFIRMED_CHANNEL = "plumbline-confirmed";
