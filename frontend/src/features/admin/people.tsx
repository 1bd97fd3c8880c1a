import { ActionIcon, Button } from "@mantine/core";
import { IconX } from "@tabler/icons-react";
import type { Person } from "@/entities/person/types";
import { plural } from "@/shared/lib/format";
import { visible } from "@/shared/lib/text";
import { ActionDialog } from "@/shared/ui/action-dialog";
import { type Column, DataTable } from "@/shared/ui/data-table/data-table";
import { FormDialog } from "@/shared/ui/form-dialog";
import { QueryPanel } from "@/shared/ui/query-panel";
import { StatusLabel } from "@/shared/ui/status";
import { TimeAgo } from "@/shared/ui/time-ago";
import styles from "./admin.module.css";
import { GrantForm, PasswordForm, PersonForm } from "./people-forms";
import { useDisablePerson, usePeople, useRemoveSecondFactors, useWithdrawGrant } from "./queries";

export function People() {
  const people = usePeople();
  return (
    <section aria-label="People">
      <div className="row" style={{ marginBottom: 12 }}>
        <FormDialog
          title="Add user"
          opener={(open) => (
            <Button variant="filled" onClick={open}>
              Add user
            </Button>
          )}
        >
          {(close) => <PersonForm close={close} />}
        </FormDialog>
        <span className="dim small">
          Viewers read and export. Operators plan and run fixes. Approvers approve others' requests. Admins configure, and can't approve.
        </span>
      </div>
      <QueryPanel query={people} height={240}>
        {(data) => <DataTable columns={COLUMNS} rows={data} rowKey={(person) => person.id} />}
      </QueryPanel>
    </section>
  );
}

const COLUMNS: Column<Person>[] = [
  { head: "Login", className: "strong", cell: (person) => visible(person.login) },
  { head: "Name", cell: (person) => visible(person.display_name) },
  { head: "Roles", cell: (person) => <Grants person={person} /> },
  {
    head: "Last sign-in",
    className: "dim nowrap",
    cell: (person) => <TimeAgo at={person.last_signed_in_at} none="Never" />,
  },
  {
    head: "Status",
    cell: (person) =>
      person.is_disabled ? <StatusLabel status="neutral">Disabled</StatusLabel> : <StatusLabel status="pass">Active</StatusLabel>,
  },
  { head: "Second factor", cell: (person) => secondFactorText(person) },
  { head: "Change", isHeadHidden: true, isNumber: true, cell: (person) => <Acts person={person} /> },
];

function secondFactorText(person: Person): string {
  if (person.is_of_provider) return "at the provider";
  return person.has_second_factor ? "added" : "–";
}

function Grants({ person }: { person: Person }) {
  const withdraw = useWithdrawGrant();
  return (
    <span className={styles.grants}>
      {person.grants.map((grant) => (
        <span key={grant.id} className={styles.grant}>
          {grant.role} on {visible(grant.group_name)}
          <ActionIcon
            size={24}
            aria-label={`Remove ${grant.role} on ${grant.group_name} from ${person.login}`}
            onClick={() => withdraw.mutate(grant.id)}
          >
            <IconX size={12} />
          </ActionIcon>
        </span>
      ))}
      {person.grants.length === 0 && !person.is_of_provider ? <span className="dim">No roles: no access</span> : null}
      {person.is_of_provider ? (
        <span className="dim" title={person.oidc_groups.map(visible).join(", ")}>
          From {plural(person.oidc_groups.length, "identity provider group")}
        </span>
      ) : null}
    </span>
  );
}

function Acts({ person }: { person: Person }) {
  const disable = useDisablePerson(person.id);
  const remove = useRemoveSecondFactors(person.id);
  return (
    <span className={`row ${styles.acts}`}>
      <FormDialog
        title={`Add role for ${person.login}`}
        opener={(open) => (
          <Button size="compact-sm" onClick={open}>
            Add role…
          </Button>
        )}
      >
        {(close) => <GrantForm person={person} close={close} />}
      </FormDialog>
      {person.is_of_provider ? null : (
        <FormDialog
          title={`Reset password for ${person.login}`}
          opener={(open) => (
            <Button size="compact-sm" onClick={open}>
              Reset password…
            </Button>
          )}
        >
          {(close) => <PasswordForm person={person} close={close} />}
        </FormDialog>
      )}
      {person.has_second_factor ? (
        <ActionDialog
          title={`Remove the second factor of ${person.login}`}
          label="Remove second factor"
          opener={(open) => (
            <Button size="compact-sm" onClick={open}>
              Remove second factor…
            </Button>
          )}
          onConfirm={() => remove.mutateAsync()}
        >
          Use this when {visible(person.login)} lost it. All sessions and API tokens of {visible(person.login)} end. They set a new password
          before they approve anything.
        </ActionDialog>
      ) : null}
      <Button size="compact-sm" onClick={() => disable.mutate(!person.is_disabled)} loading={disable.isPending}>
        {person.is_disabled ? "Enable" : "Disable"}
      </Button>
    </span>
  );
}
