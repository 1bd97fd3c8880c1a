import { Button, Checkbox, PasswordInput, Textarea, TextInput } from "@mantine/core";
import { useState } from "react";
import { isSeen, visible } from "@/shared/lib/text";
import { CopyableText } from "@/shared/ui/copy-button";
import { FormBody } from "@/shared/ui/form-dialog";
import { Failed, LoadingSkeleton } from "@/shared/ui/query-panel";
import { StatusLabel, StatusSentence } from "@/shared/ui/status";
import { TimeAgo } from "@/shared/ui/time-ago";
import { useActForm } from "@/shared/ui/use-act-form";
import styles from "./admin.module.css";
import { useSaveSignInProvider, useSignInProvider, useTrySignInProvider } from "./queries";
import type { SignInProvider } from "./types";

/** The identity provider: how it is set up, whether it answers, and the form to change that. */
export function SignIn() {
  const provider = useSignInProvider();
  const isMissing = provider.data === null;
  return (
    <section aria-label="Identity provider">
      <h2>
        Identity provider <span className="dim">OpenID Connect: Entra ID, AD FS, Keycloak, Okta and others</span>
      </h2>
      {provider.data ? <Present provider={provider.data} /> : null}
      {isMissing ? (
        <>
          <p className="dim" style={{ maxWidth: "80ch", marginBottom: 12 }}>
            No identity provider. Register Plumbline there as a web application with redirect URI{" "}
            <CopyableText text={`${window.location.origin}/api/v1/sign-in/callback`} label="redirect URI" />, add the groups claim, then
            enter the client details here. Local accounts keep working.
          </p>
          <ProviderForm provider={null} />
        </>
      ) : null}
      {provider.isPending ? <LoadingSkeleton height={260} /> : null}
      {provider.error ? <Failed error={provider.error} retry={provider.refetch} /> : null}
    </section>
  );
}

function Present({ provider }: { provider: SignInProvider }) {
  const [isChanging, setChanging] = useState(false);
  const secret = { none: "None (public client)", kept: "Stored, encrypted", file: "From a file on the server" }[provider.secret];
  return (
    <>
      <dl className={styles.facts}>
        <dt>State</dt>
        <dd>
          {provider.is_enabled ? (
            <StatusLabel status="pass">Enabled</StatusLabel>
          ) : (
            <StatusLabel status="excluded">Disabled: local accounts only</StatusLabel>
          )}
        </dd>
        <dt>Name</dt>
        <dd>{visible(provider.name)}</dd>
        <dt>Issuer</dt>
        <dd>
          <CopyableText text={provider.issuer} label="issuer" />
        </dd>
        <dt>Client ID</dt>
        <dd>
          <CopyableText text={provider.client_id} label="client id" />
        </dd>
        <dt>Client secret</dt>
        <dd>{secret}</dd>
        <dt>Redirect URI</dt>
        <dd>
          <CopyableText text={provider.redirect_uri} label="redirect URI" />
        </dd>
        <dt>Last changed</dt>
        <dd>
          <TimeAgo at={provider.changed_at} /> <span className="dim">by {visible(provider.changed_by)}</span>
        </dd>
      </dl>
      <Trial />
      <div className="row" style={{ margin: "12px 0" }}>
        <Button onClick={() => setChanging(!isChanging)} aria-expanded={isChanging}>
          {isChanging ? "Cancel" : "Edit…"}
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
        Test connection
      </Button>
      {ask.error ? <Failed error={ask.error} /> : null}
      {ask.data ? (
        <ul className={styles.found} aria-label="Test result">
          {ask.data.found.map((one) => (
            <li key={one.words}>
              <StatusSentence status={one.is_good ? "pass" : ask.data.is_usable ? "warn" : "fail"}>{visible(one.words)}</StatusSentence>
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
      name: (text) => (isSeen(text) ? null : "Enter a name"),
      issuer: (text) => (/^https?:\/\/\S+$/.test(text) ? null : "Enter a URL starting with https://"),
      client_id: (text) => (text.trim() ? null : "Enter the client ID"),
    },
    // An empty field leaves the kept secret alone: it is never shown, so an empty field says nothing about it.
    send: ({ client_secret, ...body }) => save.mutateAsync(client_secret ? { ...body, client_secret } : body),
    whenDone: () => done?.(),
  });
  return (
    <div style={{ maxWidth: 560 }}>
      <FormBody form={form} label="Save" note="Disabling it or changing the issuer or client ID signs out everyone who used this provider.">
        <TextInput label="Name" description="Shown on the sign-in button." {...form.getInputProps("name")} />
        <TextInput
          label="Issuer"
          description="Exactly as in the provider's discovery document, including any trailing slash. Changing it clears the client secret."
          inputMode="url"
          {...form.getInputProps("issuer")}
        />
        <TextInput label="Client ID" autoComplete="off" {...form.getInputProps("client_id")} />
        <PasswordInput
          label="Client secret"
          description={provider?.secret === "kept" ? "Leave empty to keep the current secret." : "Stored encrypted and never shown again."}
          autoComplete="new-password"
          visibilityToggleButtonProps={{ "aria-label": "Show the client secret" }}
          disabled={provider?.secret === "file"}
          {...form.getInputProps("client_secret")}
        />
        <TextInput label="Groups claim" {...form.getInputProps("groups_claim")} />
        <TextInput label="Login claim" {...form.getInputProps("login_claim")} />
        <TextInput label="Scopes" {...form.getInputProps("scopes")} />
        <Textarea
          label="Private CA certificate (PEM)"
          description="Only if the provider's certificate is not signed by a public CA."
          autosize
          minRows={2}
          maxRows={8}
          styles={{ input: { fontFamily: "var(--mono)" } }}
          {...form.getInputProps("ca_certificate")}
        />
        <Checkbox label="Enable sign-in" {...form.getInputProps("is_enabled", { type: "checkbox" })} />
      </FormBody>
    </div>
  );
}
