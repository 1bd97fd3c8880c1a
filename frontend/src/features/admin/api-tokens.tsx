import { Button, Checkbox, Modal, Select, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useDisclosure } from "@mantine/hooks";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useGroupChoices, useSession } from "@/entities/person/queries";
import { api, query } from "@/shared/api/client";
import type { ApiToken, ApiTokenMade } from "@/shared/api/types";
import { isSeen, visible } from "@/shared/lib/text";
import { Copy } from "@/shared/ui/copy-button";
import { Empty, Failed, Panel } from "@/shared/ui/query-panel";
import { ScrollX } from "@/shared/ui/scroll-x";
import { Outcome } from "@/shared/ui/status";
import { Instant } from "@/shared/ui/time-ago";
import styles from "./admin.module.css";

const LIST = ["get", "/api/v1/tokens"] as const;
const ROLES = ["viewer", "operator", "admin"] as const satisfies readonly ApiToken["roles"][number][];
const MEANS = { viewer: "reads and exports", operator: "drafts plans, checks hosts", admin: "sets up groups and hosts" } as const;
const LIFE = [
  { value: "30", label: "30 days" },
  { value: "90", label: "90 days" },
  { value: "180", label: "180 days" },
  { value: "366", label: "a year" },
];

/** Tokens for programs: one's own, and those on groups that one administers. */
export function ApiTokens({ canNameService }: { canNameService: boolean }) {
  const tokens = query.useQuery("get", "/api/v1/tokens");
  const [isMaking, making] = useDisclosure(false);
  return (
    <section aria-label="API tokens">
      <div className="row" style={{ marginBottom: 12 }}>
        <Button variant="filled" onClick={making.open}>
          Make a token
        </Button>
        <span className="dim small">
          A token may do what its roles say on its group, and never more than you may yourself at that moment. It never approves.
        </span>
      </div>
      <Modal opened={isMaking} onClose={making.close} title="Make a token" closeButtonProps={{ "aria-label": "Close" }}>
        <TokenForm canNameService={canNameService} close={making.close} />
      </Modal>
      <Panel
        query={tokens}
        height={160}
        isEmpty={(data) => data.length === 0}
        empty={<Empty title="No token yet.">A script, or Prometheus, reads Plumbline with one; it is shown once and ends by itself.</Empty>}
      >
        {(data) => (
          <ScrollX>
            <table className="data">
              <thead>
                <tr>
                  <th scope="col">for</th>
                  <th scope="col">acts as</th>
                  <th scope="col">may</th>
                  <th scope="col">last used</th>
                  <th scope="col">ends</th>
                  <th scope="col">state</th>
                  <th scope="col">
                    <span className="hidden-visually">revoke</span>
                  </th>
                </tr>
              </thead>
              <tbody>
                {data.map((token) => (
                  <Row key={token.id} token={token} />
                ))}
              </tbody>
            </table>
          </ScrollX>
        )}
      </Panel>
    </section>
  );
}

function Row({ token }: { token: ApiToken }) {
  const client = useQueryClient();
  const revoke = useMutation({
    mutationFn: () => api.DELETE("/api/v1/tokens/{token_id}", { params: { path: { token_id: token.id } } }),
    onSuccess: () => client.invalidateQueries({ queryKey: LIST }),
  });
  return (
    <tr>
      <td className="strong">{visible(token.name)}</td>
      <td>
        {token.service ? <span className="mono">{visible(token.service)}</span> : visible(token.person_name)}
        {token.service ? <span className="dim"> by {visible(token.person_name)}</span> : null}
      </td>
      <td>
        {token.roles.join(", ")} on {visible(token.group_name)}
      </td>
      <td className="dim nowrap">
        <Instant at={token.last_used_at} none="never used" />
        {token.last_used_from ? <span className="mono"> {visible(token.last_used_from)}</span> : null}
      </td>
      <td className="nowrap">
        <Instant at={token.expires_at} />
      </td>
      <td>
        <State state={token.state} />
      </td>
      <td className="num">
        {token.state === "living" || token.state === "disabled" ? (
          <Button
            size="compact-sm"
            onClick={() => revoke.mutate()}
            loading={revoke.isPending}
            aria-label={`Revoke the token ${token.name}`}
          >
            Revoke
          </Button>
        ) : null}
        {revoke.error ? <Failed error={revoke.error} /> : null}
      </td>
    </tr>
  );
}

function State({ state }: { state: ApiToken["state"] }) {
  if (state === "living") return <Outcome status="pass">in use</Outcome>;
  if (state === "disabled") return <Outcome status="unknown">account disabled</Outcome>;
  return <Outcome status="neutral">{state === "revoked" ? "revoked" : "ended"}</Outcome>;
}

interface Values {
  name: string;
  service: string;
  roles: string[];
  group: string;
  days: string;
}

function TokenForm({ canNameService, close }: { canNameService: boolean; close: () => void }) {
  const client = useQueryClient();
  const groups = useGroupChoices();
  const held = new Set((useSession().data?.roles ?? []).map((each) => each.role));
  const form = useForm<Values>({
    initialValues: { name: "", service: "", roles: [], group: "", days: "90" },
    validate: {
      name: (text) => (isSeen(text) ? null : "Say what the token is for"),
      service: (text) => (/^([A-Za-z0-9][A-Za-z0-9._-]{0,63})?$/.test(text) ? null : "Letters, digits and . _ -"),
      roles: (roles) => (roles.length > 0 ? null : "Choose at least one role"),
    },
  });
  const group = form.values.group || groups[0]?.value || "";
  const make = useMutation({
    mutationFn: async (values: Values) => {
      const answer = await api.POST("/api/v1/tokens", {
        body: {
          name: values.name.trim(),
          service: values.service,
          roles: ROLES.filter((role) => values.roles.includes(role)),
          group_id: Number(group),
          expires_days: Number(values.days),
        },
      });
      if (!answer.data) throw new TypeError("the token came without a body");
      return answer.data;
    },
    onSuccess: () => client.invalidateQueries({ queryKey: LIST }),
  });
  if (make.data) return <Made made={make.data} close={close} />;
  return (
    <form className={styles.form} onSubmit={form.onSubmit((values) => make.mutate(values))}>
      <TextInput label="What it is for" placeholder="Nightly export" data-autofocus {...form.getInputProps("name")} />
      {canNameService ? (
        <TextInput
          label="Name of the service"
          placeholder="prometheus"
          description="Empty: it acts under your own name."
          {...form.getInputProps("service")}
        />
      ) : null}
      <Checkbox.Group label="It may" {...form.getInputProps("roles")}>
        {ROLES.filter((role) => held.has(role)).map((role) => (
          <Checkbox key={role} value={role} label={`${role}: ${MEANS[role]}`} mt={6} />
        ))}
      </Checkbox.Group>
      <Select
        label="On the group and all below it"
        searchable
        data={groups}
        value={group}
        onChange={(chosen) => form.setFieldValue("group", chosen ?? "")}
      />
      <Select label="It ends after" data={LIFE} {...form.getInputProps("days")} />
      {make.error ? <Failed error={make.error} /> : null}
      <Button type="submit" variant="filled" loading={make.isPending} disabled={group === ""}>
        Make the token
      </Button>
    </form>
  );
}

function Made({ made, close }: { made: ApiTokenMade; close: () => void }) {
  return (
    <div className={styles.form} role="status">
      <span className="strong">The token, shown this once:</span>
      <Copy text={made.token} label="token" />
      <span className="dim small">
        Send it as <code>Authorization: Bearer</code>. It ends <Instant at={made.expires_at} form="exact" />.
      </span>
      <Button onClick={close}>Done</Button>
    </div>
  );
}
