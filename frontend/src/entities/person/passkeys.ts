import { ApiProblem } from "@/shared/api/problem";
import type { Schemas } from "@/shared/api/schemas";

export type PasskeyAnswer = Schemas["PasskeyAnswer"];
export type PasskeyOptions = NonNullable<Schemas["SecondStepOut"]["passkey"]>;

/** Why this browser cannot use a passkey here; empty where it can. `host` is the host name to which passkeys of this installation belong. */
export function passkeyObstacle(host: string, at: Pick<Location, "hostname" | "protocol" | "port"> = window.location): string {
  if (at.hostname !== host) {
    const port = at.port ? `:${at.port}` : "";
    return `Passkeys belong to a host name. Open Plumbline at ${at.protocol}//${host}${port} to use one.`;
  }
  if (!("PublicKeyCredential" in window) || !("parseRequestOptionsFromJSON" in PublicKeyCredential))
    return "This browser does not support passkeys. Update it, or use an authenticator app.";
  return "";
}

/** Asks the browser for one of the person's passkeys; throws a problem where the person or the browser cancelled. */
export async function askForPasskey(options: PasskeyOptions): Promise<PasskeyAnswer> {
  const given = PublicKeyCredential.parseRequestOptionsFromJSON(options as unknown as PublicKeyCredentialRequestOptionsJSON);
  return answerOf(await asked(() => navigator.credentials.get({ publicKey: given })));
}

/** Lets the browser make a passkey; throws as `askForPasskey`. */
export async function makePasskey(options: PasskeyOptions): Promise<PasskeyAnswer> {
  const given = PublicKeyCredential.parseCreationOptionsFromJSON(options as unknown as PublicKeyCredentialCreationOptionsJSON);
  return answerOf(await asked(() => navigator.credentials.create({ publicKey: given })));
}

async function asked(ask: () => Promise<Credential | null>): Promise<Credential | null> {
  try {
    return await ask();
  } catch (error) {
    const name = error instanceof DOMException ? error.name : "";
    if (name === "InvalidStateError") throw notUsed("This passkey is already added.");
    if (name === "NotAllowedError") throw notUsed("The passkey was not used: it was cancelled, took too long, or is not on this device.");
    throw notUsed("The browser could not use a passkey. Try again, or use another way to sign in.");
  }
}

function answerOf(credential: Credential | null): PasskeyAnswer {
  if (!(credential instanceof PublicKeyCredential)) throw notUsed("The browser returned no passkey. Try again.");
  return credential.toJSON() as unknown as PasskeyAnswer;
}

const notUsed = (detail: string) =>
  new ApiProblem({ status: 0, title: "Passkey not used", detail, code: "passkey_not_used", requestId: null });
