import { Button, Checkbox, PasswordInput, Textarea, TextInput } from "@mantine/core";
import { useState } from "react";
import { ApiProblem } from "@/shared/api/problem";
import { isSeen, visible } from "@/shared/lib/text";
import { CopyableText } from "@/shared/ui/copy-button";
import { FormBody } from "@/shared/ui/form-dialog";
import { Failed, LoadingSkeleton } from "@/shared/ui/query-panel";
import { StatusLabel } from "@/shared/ui/status";
import { TimeAgo } from "@/shared/ui/time-ago";
import { useActForm } from "@/shared/ui/use-act-form";
import styles from "./admin.module.css";
import { useSaveSignInProvider, useSignInProvider, useTrySignInProvider } from "./queries";
import type { SignInProvider } from "./types";

/** The identity provider: how it is set up, whether it answers, and the form to change that. */
export function SignIn() {
  const provider = useSignInProvider();
  const isMissing = provider.error !== null && ApiProblem.of(provider.error).status === 404;
  return (
    <section aria-label="Identity provider">
      <h2>
        Identity provider <span className="dim">OpenID Connect: Entra ID, AD FS, Keycloak, Okta and others</span>
      </h2>
      {provider.data ? <Present provider={provider.data} /> : null}
      {isMissing ? (
        <>
          <p className="dim" style={{ maxWidth: "80ch", marginBottom: 12 }}>
            Nobody signs in at a provider yet. Register Plumbline there as a web application with the redirect address{" "}
            <CopyableText text={`${window.location.origin}/api/v1/sign-in/callback`} label="redirect address" />, let it send the groups of
            people, and enter here what it gave you. Local accounts go on working, also while the provider is down.
          </p>
          <ProviderForm provider={null} />
        </>
      ) : null}
      {provider.isPending ? <LoadingSkeleton height={260} /> : null}
      {provider.error && !isMissing ? <Failed error={provider.error} retry={provider.refetch} /> : null}
    </section>
  );
}

function Present({ provider }: { provider: SignInProvider }) {
  const [isChanging, setChanging] = useState(false);
  const secret = { none: "none: a public client", kept: "kept, sealed", file: "from a file of the server" }[provider.secret];
  return (
    <>
      <dl className={styles.facts}>
        <dt>State</dt>
        <dd>
          {provider.is_enabled ? (
            <StatusLabel status="pass">people can sign in there</StatusLabel>
          ) : (
            <StatusLabel status="excluded">switched off: local accounts only</StatusLabel>
          )}
        </dd>
        <dt>Name</dt>
        <dd>{visible(provider.name)}</dd>
        <dt>Issuer</dt>
        <dd>
          <CopyableText text={provider.issuer} label="issuer" />
        </dd>
        <dt>Client id</dt>
        <dd>
          <CopyableText text={provider.client_id} label="client id" />
        </dd>
        <dt>Client secret</dt>
        <dd>{secret}</dd>
        <dt>Redirect address</dt>
        <dd>
          <CopyableText text={provider.redirect_uri} label="redirect address" />
        </dd>
        <dt>Changed</dt>
        <dd>
          <TimeAgo at={provider.changed_at} /> <span className="dim">by {visible(provider.changed_by)}</span>
        </dd>
      </dl>
      <Trial />
      <div className="row" style={{ margin: "12px 0" }}>
        <Button onClick={() => setChanging(!isChanging)} aria-expanded={isChanging}>
          {isChanging ? "Leave it as it is" : "Change …"}
        </Button>
      </div>
      {isChanging ? <ProviderForm provider={provider} done={() => setChanging(false)} /> : null}
    </>
  );
}

/** Asks the provider now, and says what was found. */
function Trial() {
  const ask = useTrySignInProvider();
  return (
    <div>
      <Button onClick={() => ask.mutate()} loading={ask.isPending}>
        Try it now
      </Button>
      {ask.error ? <Failed error={ask.error} /> : null}
      {ask.data ? (
        <ul className={styles.found} aria-label="What the provider answers">
          {ask.data.found.map((one) => (
            <li key={one.words}>
              <StatusLabel status={one.is_good ? "pass" : ask.data.is_usable ? "warn" : "fail"}>{visible(one.words)}</StatusLabel>
            </li>
          ))}
        </ul>
      ) : null}
    </div>
  );
}

function ProviderForm({ provider, done }: { provider: SignInProvider | null; done?: () => void }) {
  const save = useSaveSignInProvider();
  const form = useActForm({
    initialValues: {
      name: provider?.name ?? "",
      issuer: provider?.issuer ?? "",
      client_id: provider?.client_id ?? "",
      client_secret: "",
      scopes: provider?.scopes ?? "openid profile email",
      groups_claim: provider?.groups_claim ?? "groups",
      login_claim: provider?.login_claim ?? "preferred_username",
      ca_certificate: provider?.ca_certificate ?? "",
      is_enabled: provider?.is_enabled ?? true,
    },
    validate: {
      name: (text) => (isSeen(text) ? null : "Say what people call it"),
      issuer: (text) => (/^https?:\/\/\S+$/.test(text) ? null : "An address that begins with https://"),
      client_id: (text) => (text.trim() ? null : "The provider gave you one"),
    },
    // An empty field leaves the kept secret alone: it is never shown, so an empty field says nothing about it.
    send: ({ client_secret, ...body }) => save.mutateAsync(client_secret ? { ...body, client_secret } : body),
    whenDone: () => done?.(),
  });
  return (
    <div style={{ maxWidth: 560 }}>
      <FormBody form={form} label="Save" note="Switching it off, or another issuer or client id, ends every session that was begun there.">
        <TextInput label="Name" description="Stands on the button of the sign-in page." {...form.getInputProps("name")} />
        <TextInput
          label="Issuer"
          description="Exactly as the provider's own document names it, final slash included or not. Another issuer needs its own secret."
          inputMode="url"
          {...form.getInputProps("issuer")}
        />
        <TextInput label="Client id" autoComplete="off" {...form.getInputProps("client_id")} />
        <PasswordInput
          label="Client secret"
          description={provider?.secret === "kept" ? "One is kept. Leave this empty to keep it." : "Written and never shown again."}
          autoComplete="new-password"
          visibilityToggleButtonProps={{ "aria-label": "Show the client secret" }}
          disabled={provider?.secret === "file"}
          {...form.getInputProps("client_secret")}
        />
        <TextInput label="Claim that lists a person's groups" {...form.getInputProps("groups_claim")} />
        <TextInput label="Claim that names a person" {...form.getInputProps("login_claim")} />
        <TextInput label="Scopes" {...form.getInputProps("scopes")} />
        <Textarea
          label="Certificate of the site's own authority (PEM)"
          description="Only where the provider's certificate is signed by one that is not commonly trusted."
          autosize
          minRows={2}
          maxRows={8}
          styles={{ input: { fontFamily: "var(--mono)" } }}
          {...form.getInputProps("ca_certificate")}
        />
        <Checkbox label="People can sign in there" {...form.getInputProps("is_enabled", { type: "checkbox" })} />
      </FormBody>
    </div>
  );
}
