import { ActionIcon, Button, Select, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { IconX } from "@tabler/icons-react";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useGroupChoices } from "@/entities/person/queries";
import { api, query } from "@/shared/api/client";
import type { Role } from "@/shared/api/types";
import { plural } from "@/shared/lib/format";
import { isSeen, visible } from "@/shared/lib/text";
import { Empty, Failed, Panel } from "@/shared/ui/query-panel";
import { ScrollX } from "@/shared/ui/scroll-x";
import styles from "./admin.module.css";

const PATH = "/api/v1/sign-in/groups";
const KEY = ["get", PATH] as const;
const ROLES = ["viewer", "operator", "approver", "admin"] as const satisfies readonly Role[];

/** Which group of the identity provider has which role on which hosts. */
export function GroupRoles() {
  const client = useQueryClient();
  const grants = query.useQuery("get", PATH);
  const after = { onSuccess: () => client.invalidateQueries({ queryKey: KEY }) };
  const take = useMutation({
    mutationFn: (grant_id: number) => api.DELETE("/api/v1/grants/{grant_id}", { params: { path: { grant_id } } }),
    ...after,
  });
  return (
    <section className="section" aria-label="Roles by group">
      <h2>
        Roles by group <span className="dim">who is in a group of the provider has its role from the next sign-in on</span>
      </h2>
      {take.error ? <Failed error={take.error} /> : null}
      <Panel
        query={grants}
        height={160}
        isEmpty={(list) => list.length === 0}
        empty={<Empty title="No group has a role">Nobody of the provider gets in before one of their groups has a role here.</Empty>}
      >
        {(list) => (
          <ScrollX>
            <table className="data">
              <thead>
                <tr>
                  <th scope="col">group of the provider</th>
                  <th scope="col">role</th>
                  <th scope="col">on the hosts of</th>
                  <th scope="col">people seen in it</th>
                  <th scope="col">
                    <span className="hidden-visually">change</span>
                  </th>
                </tr>
              </thead>
              <tbody>
                {list.map((grant) => (
                  <tr key={grant.id}>
                    <td className="strong">{visible(grant.oidc_group)}</td>
                    <td>{grant.role}</td>
                    <td>{visible(grant.group_name)} and all below</td>
                    <td className="dim">{grant.people === 0 ? "nobody yet" : plural(grant.people, "person", "people")}</td>
                    <td className="num">
                      <ActionIcon
                        size={28}
                        aria-label={`Take ${grant.role} on ${grant.group_name} from ${grant.oidc_group}`}
                        onClick={() => take.mutate(grant.id)}
                      >
                        <IconX size={14} />
                      </ActionIcon>
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          </ScrollX>
        )}
      </Panel>
      <GiveRole />
    </section>
  );
}

function GiveRole() {
  const client = useQueryClient();
  const groups = useGroupChoices();
  const form = useForm({
    initialValues: { oidc_group: "", role: "viewer" as Role, group: "" },
    validate: { oidc_group: (text) => (isSeen(text) ? null : "As the provider sends it, to the letter") },
  });
  const group = form.values.group || groups[0]?.value || "";
  const give = useMutation({
    mutationFn: ({ oidc_group, role }: { oidc_group: string; role: Role }) =>
      api.POST(PATH, { body: { oidc_group: oidc_group.trim(), role, group_id: Number(group) } }),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: KEY });
      form.setFieldValue("oidc_group", "");
    },
  });
  return (
    <form className={styles.filters} style={{ marginTop: 14 }} onSubmit={form.onSubmit((values) => give.mutate(values))}>
      <TextInput label="Group, as the provider names it" autoComplete="off" {...form.getInputProps("oidc_group")} />
      <Select label="Role" allowDeselect={false} data={[...ROLES]} {...form.getInputProps("role")} />
      <Select
        label="On the group of hosts, and all below"
        searchable
        allowDeselect={false}
        data={groups}
        value={group}
        onChange={(chosen) => form.setFieldValue("group", chosen ?? "")}
      />
      <Button type="submit" variant="filled" loading={give.isPending} disabled={group === ""}>
        Give the role
      </Button>
      {give.error ? <Failed error={give.error} /> : null}
    </form>
  );
}
