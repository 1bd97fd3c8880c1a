// A real OpenID Connect provider on this machine, for the tests: `oidc-provider`, which is certified by the OpenID Foundation.
// Called with one JSON argument: {port, redirect_uris, post_logout_redirect_uris, client_secret, people: {login: {name, groups}}, key?}.
// Prints "provider is up: ADDRESS" and lives until its standard input ends, so that none outlives its test.
// People are changed while it runs by one JSON object a line on standard input. Any password is right: it is the protocol that is tested.
import { generateKeyPairSync } from "node:crypto";
import { createInterface } from "node:readline";
import { Provider } from "oidc-provider";

const given = JSON.parse(process.argv[2] ?? "{}");
const people = new Map(Object.entries(given.people ?? {}));
const address = `http://127.0.0.1:${given.port}`;

function key() {
  const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
  return { ...privateKey.export({ format: "jwk" }), use: "sig", alg: "RS256", kid: given.key ?? "first" };
}

const provider = new Provider(address, {
  clients: [
    {
      client_id: "plumbline",
      client_secret: given.client_secret,
      redirect_uris: given.redirect_uris,
      post_logout_redirect_uris: given.post_logout_redirect_uris ?? [],
      grant_types: ["authorization_code"],
      response_types: ["code"],
    },
  ],
  jwks: { keys: [key()] },
  cookies: { keys: ["only for tests"] },
  claims: { openid: ["sub"], profile: ["name", "preferred_username", "groups"], email: ["email"] },
  pkce: { required: () => true },
  ttl: { Session: 3600, Grant: 3600, Interaction: 600, AccessToken: 600, IdToken: 600, AuthorizationCode: 60 },
  async findAccount(_context, login) {
    const person = people.get(login);
    if (!person) return undefined;
    return {
      accountId: login,
      claims: async () => ({ sub: `id-of-${login}`, preferred_username: login, ...person }),
    };
  },
  // People who work here consented by working here: nobody is asked what Plumbline may know.
  async loadExistingGrant(context) {
    const grant = new context.oidc.provider.Grant({ clientId: context.oidc.client.clientId, accountId: context.oidc.session.accountId });
    grant.addOIDCScope("openid profile email");
    await grant.save();
    return grant;
  },
});

// "TypeError", "invalid_client": what the provider thinks of a request stands on its standard error.
for (const name of ["server_error", "grant.error", "authorization.error"]) provider.on(name, (_context, error) => console.error(name, error.message, error.error_detail ?? ""));

provider.listen(given.port, "127.0.0.1", () => console.log(`provider is up: ${address}`));

const lines = createInterface({ input: process.stdin });
lines.on("line", (line) => {
  for (const [login, person] of Object.entries(JSON.parse(line))) people.set(login, person);
  console.log("noted");
});
lines.on("close", () => process.exit(0));
