/**
 * What went wrong on the way to the identity provider and back, in words. Only a code travels in the address: a text there
 * could be anybody's.
 */
const texts: Record<string, string> = {
  provider_unreachable: "Can't reach the identity provider. Try again in a minute, or use a local account.",
  provider_refused: "The identity provider rejected the sign-in. You may have cancelled it, or Plumbline's client registration is wrong.",
  identity_unproven:
    "The identity provider's response couldn't be verified. Try again. If it fails again, an admin can find the reason in the audit log.",
  groups_unknown: "The identity provider didn't send your groups, so your permissions are unknown. Ask an admin to add the groups claim.",
  no_role_here: "None of your groups has a role in Plumbline. Ask an admin to assign one.",
  account_closed: "Your account is disabled. Ask an admin.",
  provider_off: "Single sign-on is turned off. Use a local account.",
  attempt_over: "This sign-in expired or was started in another window. Try again.",
  secret_closed: "Plumbline can't read its client secret. An admin must enter it again.",
  too_many_requests: "Too many sign-in attempts from this network. Wait 10 minutes.",
  somebody_else: "A different person confirmed with the identity provider. Sign out there, then confirm again.",
  not_fresh: "The identity provider reused an older sign-in. Sign out there, then confirm again.",
  not_signed_in: "Your session has ended. Sign in again.",
};

export const signInProblem = (code: string): string => texts[code] ?? "Single sign-on failed. Try again.";

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
