import { ActionIcon, Button, Modal } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { notifications } from "@mantine/notifications";
import { IconX } from "@tabler/icons-react";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { api, query } from "@/shared/api/client";
import { ApiProblem } from "@/shared/api/problem";
import type { Person } from "@/shared/api/types";
import { plural } from "@/shared/lib/format";
import { visible } from "@/shared/lib/text";
import { Panel } from "@/shared/ui/query-panel";
import { ScrollX } from "@/shared/ui/scroll-x";
import { Outcome } from "@/shared/ui/status";
import { Instant } from "@/shared/ui/time-ago";
import styles from "./admin.module.css";
import { GrantForm, PasswordForm, PersonForm } from "./people-forms";

const LIST = ["get", "/api/v1/people"] as const;

export function People() {
  const people = query.useQuery("get", "/api/v1/people");
  const [isAdding, adding] = useDisclosure(false);
  return (
    <section aria-label="People">
      <div className="row" style={{ marginBottom: 12 }}>
        <Button variant="filled" onClick={adding.open}>
          Add a person
        </Button>
        <span className="dim small">
          Viewer reads and exports. Operator plans and runs. Approver approves, never their own. Admin sets up, and cannot approve.
        </span>
      </div>
      <Modal opened={isAdding} onClose={adding.close} title="Add a person" closeButtonProps={{ "aria-label": "Close" }}>
        <PersonForm close={adding.close} />
      </Modal>
      <Panel query={people} height={240}>
        {(data) => (
          <ScrollX>
            <table className="data" data-fits>
              <thead>
                <tr>
                  <th scope="col">login</th>
                  <th scope="col" className="on-desk">
                    name
                  </th>
                  <th scope="col">roles</th>
                  <th scope="col" className="on-desk">
                    last signed in
                  </th>
                  <th scope="col">account</th>
                  <th scope="col">
                    <span className="hidden-visually">change</span>
                  </th>
                </tr>
              </thead>
              <tbody>
                {data.map((person) => (
                  <Row key={person.id} person={person} />
                ))}
              </tbody>
            </table>
          </ScrollX>
        )}
      </Panel>
    </section>
  );
}

function Row({ person }: { person: Person }) {
  const client = useQueryClient();
  const [isGranting, granting] = useDisclosure(false);
  const [isRenewing, renewing] = useDisclosure(false);
  const after = {
    onSuccess: () => client.invalidateQueries({ queryKey: LIST }),
    onError: (error: unknown) => {
      notifications.show({ title: "Not changed", message: ApiProblem.of(error).message });
    },
  };
  const able = useMutation({
    mutationFn: (is_disabled: boolean) =>
      api.PATCH("/api/v1/people/{person_id}", { params: { path: { person_id: person.id } }, body: { is_disabled } }),
    ...after,
  });
  const withdraw = useMutation({
    mutationFn: (grant_id: number) => api.DELETE("/api/v1/grants/{grant_id}", { params: { path: { grant_id } } }),
    ...after,
  });
  return (
    <tr>
      <td>
        <span className="strong">{visible(person.login)}</span>
        <div className="dim small on-phone">
          {visible(person.display_name)}
          {person.last_signed_in_at ? (
            <>
              , signed in <Instant at={person.last_signed_in_at} />
            </>
          ) : null}
        </div>
      </td>
      <td className="on-desk">{visible(person.display_name)}</td>
      <td>
        <span className={styles.grants}>
          {person.grants.map((grant) => (
            <span key={grant.id} className={styles.grant}>
              {grant.role} on {visible(grant.group_name)}
              <ActionIcon
                size={24}
                aria-label={`Take ${grant.role} on ${grant.group_name} from ${person.login}`}
                onClick={() => withdraw.mutate(grant.id)}
              >
                <IconX size={12} />
              </ActionIcon>
            </span>
          ))}
          {person.grants.length === 0 && !person.is_of_provider ? <span className="dim">none: sees nothing</span> : null}
          {person.is_of_provider ? (
            <span className="dim" title={person.oidc_groups.map(visible).join(", ")}>
              by {plural(person.oidc_groups.length, "group")} of the identity provider
            </span>
          ) : null}
        </span>
      </td>
      <td className="dim nowrap on-desk">
        <Instant at={person.last_signed_in_at} none="never signed in" />
      </td>
      <td>{person.is_disabled ? <Outcome status="neutral">disabled</Outcome> : <Outcome status="pass">open</Outcome>}</td>
      <td className="num">
        <span className={`row ${styles.acts}`}>
          <Button size="compact-sm" onClick={granting.open}>
            Add role
          </Button>
          {person.is_of_provider ? null : (
            <Button size="compact-sm" onClick={renewing.open}>
              New password
            </Button>
          )}
          <Button size="compact-sm" onClick={() => able.mutate(!person.is_disabled)} loading={able.isPending}>
            {person.is_disabled ? "Open" : "Disable"}
          </Button>
        </span>
        <Modal
          opened={isGranting}
          onClose={granting.close}
          title={`A role for ${person.login}`}
          closeButtonProps={{ "aria-label": "Close" }}
        >
          <GrantForm person={person} close={granting.close} />
        </Modal>
        <Modal
          opened={isRenewing}
          onClose={renewing.close}
          title={`A new password for ${person.login}`}
          closeButtonProps={{ "aria-label": "Close" }}
        >
          <PasswordForm person={person} close={renewing.close} />
        </Modal>
      </td>
    </tr>
  );
}
