import { Button, Checkbox, Select, TextInput } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { useGroupChoices } from "@/entities/group/queries";
import { useSession } from "@/entities/person/queries";
import { isSeen, visible } from "@/shared/lib/text";
import { type Column, DataTable } from "@/shared/ui/data-table/data-table";
import { FormBody, FormDialog } from "@/shared/ui/form-dialog";
import { Empty, Failed, QueryPanel } from "@/shared/ui/query-panel";
import { SecretOnce } from "@/shared/ui/secret-once";
import { StatusLabel } from "@/shared/ui/status";
import { TimeAgo } from "@/shared/ui/time-ago";
import { useActForm } from "@/shared/ui/use-act-form";
import { useApiTokens, useCreateApiToken, useRevokeApiToken } from "./queries";
import type { ApiToken } from "./types";

const ROLES = ["viewer", "operator", "admin"] as const satisfies readonly ApiToken["roles"][number][];
const MEANS = { viewer: "Read and export", operator: "Create plans, check in hosts", admin: "Manage groups and hosts" } as const;
const LIFE = [
  { value: "30", label: "30 days" },
  { value: "90", label: "90 days" },
  { value: "180", label: "180 days" },
  { value: "366", label: "1 year" },
];

/** Tokens for programs: one's own, and those on groups that one administers. */
export function ApiTokens({ canNameService }: { canNameService: boolean }) {
  const tokens = useApiTokens();
  return (
    <section aria-label="API tokens">
      <div className="row" style={{ marginBottom: 12 }}>
        <FormDialog
          title="Create token"
          opener={(open) => (
            <Button variant="filled" onClick={open}>
              Create token
            </Button>
          )}
        >
          {(close) => <TokenForm canNameService={canNameService} close={close} />}
        </FormDialog>
        <span className="dim small">
          A token has its roles on its group, limited to your own current permissions. It can't approve. See the{" "}
          <Link to="/api-reference" className="link">
            API reference
          </Link>
          .
        </span>
      </div>
      <QueryPanel
        query={tokens}
        height={160}
        isEmpty={(data) => data.length === 0}
        empty={<Empty title="No tokens">Create one for scripts or Prometheus. It is shown once and expires automatically.</Empty>}
      >
        {(data) => <DataTable columns={COLUMNS} rows={data} rowKey={(token) => token.id} />}
      </QueryPanel>
    </section>
  );
}

const COLUMNS: Column<ApiToken>[] = [
  { head: "Purpose", className: "strong", cell: (token) => visible(token.name) },
  {
    head: "Acts as",
    cell: (token) => (
      <>
        {token.service ? <span className="mono">{visible(token.service)}</span> : visible(token.person_name)}
        {token.service ? <span className="dim"> by {visible(token.person_name)}</span> : null}
      </>
    ),
  },
  { head: "Permissions", cell: (token) => `${token.roles.join(", ")} on ${visible(token.group_name)}` },
  {
    head: "Last used",
    className: "dim nowrap",
    cell: (token) => (
      <>
        <TimeAgo at={token.last_used_at} none="Never" />
        {token.last_used_from ? <span className="mono"> {visible(token.last_used_from)}</span> : null}
      </>
    ),
  },
  { head: "Expires", className: "nowrap", cell: (token) => <TimeAgo at={token.expires_at} /> },
  { head: "Status", cell: (token) => <State state={token.state} /> },
  { head: "Revoke", isHeadHidden: true, isNumber: true, cell: (token) => <Revoke token={token} /> },
];

function Revoke({ token }: { token: ApiToken }) {
  const revoke = useRevokeApiToken(token.id);
  return (
    <>
      {token.state === "living" || token.state === "disabled" ? (
        <Button size="compact-sm" onClick={() => revoke.mutate()} loading={revoke.isPending} aria-label={`Revoke the token ${token.name}`}>
          Revoke
        </Button>
      ) : null}
      {revoke.error ? <Failed error={revoke.error} /> : null}
    </>
  );
}

function State({ state }: { state: ApiToken["state"] }) {
  if (state === "living") return <StatusLabel status="pass">Active</StatusLabel>;
  if (state === "disabled") return <StatusLabel status="unknown">Account disabled</StatusLabel>;
  return <StatusLabel status="neutral">{state === "revoked" ? "Revoked" : "Expired"}</StatusLabel>;
}

function TokenForm({ canNameService, close }: { canNameService: boolean; close: () => void }) {
  const create = useCreateApiToken();
  const groups = useGroupChoices();
  const firstGroup = groups[0]?.value ?? "";
  const ownedRights = new Set((useSession().data?.roles ?? []).map((each) => each.role));
  const form = useActForm({
    initialValues: { name: "", service: "", roles: [] as string[], group: "", days: "90" },
    validate: {
      name: (text) => (isSeen(text) ? null : "Enter a purpose"),
      service: (text) => (/^([A-Za-z0-9][A-Za-z0-9._-]{0,63})?$/.test(text) ? null : "Letters, digits and . _ -"),
      roles: (roles) => (roles.length > 0 ? null : "Choose at least one role"),
    },
    send: ({ name, service, roles, group, days }) =>
      create.mutateAsync({
        name: name.trim(),
        service,
        roles: ROLES.filter((role) => roles.includes(role)),
        group_id: Number(group || firstGroup),
        expires_days: Number(days),
      }),
  });
  const group = form.values.group || firstGroup;
  if (create.data) {
    return (
      <SecretOnce title="Token (shown only once):" secret={create.data.token} label="token" close={close}>
        <span className="dim small">
          Send it as <code>Authorization: Bearer</code>. It expires <TimeAgo at={create.data.expires_at} form="exact" />.
        </span>
      </SecretOnce>
    );
  }
  return (
    <FormBody form={form} label="Create token" isDisabled={group === ""}>
      <TextInput label="Purpose" placeholder="Nightly export" data-autofocus {...form.getInputProps("name")} />
      {canNameService ? (
        <TextInput
          label="Service name"
          placeholder="prometheus"
          description="Leave empty to act as yourself."
          {...form.getInputProps("service")}
        />
      ) : null}
      <Checkbox.Group label="Roles" {...form.getInputProps("roles")}>
        {ROLES.filter((role) => ownedRights.has(role)).map((role) => (
          <Checkbox key={role} value={role} label={`${role}: ${MEANS[role]}`} mt={6} />
        ))}
      </Checkbox.Group>
      <Select label="Group (including subgroups)" searchable data={groups} {...form.getInputProps("group")} value={group} />
      <Select label="Expires after" data={LIFE} {...form.getInputProps("days")} />
    </FormBody>
  );
}
