import { Button, PasswordInput } from "@mantine/core";
import { useSession } from "@/entities/person/queries";
import type { Session } from "@/entities/person/types";
import { visible } from "@/shared/lib/text";
import { type Column, DataTable } from "@/shared/ui/data-table/data-table";
import { FormBody, FormDialog } from "@/shared/ui/form-dialog";
import { Failed, QueryPanel } from "@/shared/ui/query-panel";
import { TimeAgo } from "@/shared/ui/time-ago";
import { useActForm } from "@/shared/ui/use-act-form";
import { deviceText, passwordHint } from "./account-labels";
import { type OwnSession, useEndOtherSessions, useEndSession, useOwnSessions, useSetOwnPassword } from "./queries";
import { SecondFactors } from "./second-factors";

/** One's own account: the password, and where one is signed in. */
export function AccountPage() {
  const session = useSession();
  return (
    <QueryPanel query={session} height={160}>
      {(data) => (data ? <Account session={data} /> : null)}
    </QueryPanel>
  );
}

function Account({ session }: { session: Session }) {
  return (
    <>
      <h1>Your account</h1>
      <section className="section" aria-label="Password">
        <h2>Password</h2>
        <p className="dim small" style={{ marginBottom: 8 }}>
          {passwordHint(session)}
        </p>
        {session.provider ? null : (
          <FormDialog
            title="Set your password"
            opener={(open) => (
              <Button variant={session.must_set_password ? "filled" : "default"} onClick={open}>
                Set your password
              </Button>
            )}
          >
            {(close) => <PasswordForm close={close} />}
          </FormDialog>
        )}
      </section>
      {session.provider ? null : <SecondFactors session={session} />}
      <OwnSessions />
    </>
  );
}

function PasswordForm({ close }: { close: () => void }) {
  const set = useSetOwnPassword();
  const form = useActForm({
    initialValues: { password: "", new_password: "" },
    validate: {
      password: (text) => (text ? null : "Enter your current password"),
      new_password: (text) => (text.length >= 12 ? null : "At least 12 characters"),
    },
    send: (values) => set.mutateAsync(values),
    whenDone: close,
  });
  return (
    <FormBody form={form} label="Set password">
      <PasswordInput
        label="Current password"
        autoComplete="current-password"
        data-autofocus
        visibilityToggleButtonProps={{ "aria-label": "Show the current password" }}
        {...form.getInputProps("password")}
      />
      <PasswordInput
        label="New password"
        description="At least 12 characters. Your other sessions end."
        autoComplete="new-password"
        visibilityToggleButtonProps={{ "aria-label": "Show the new password" }}
        {...form.getInputProps("new_password")}
      />
    </FormBody>
  );
}

function OwnSessions() {
  const sessions = useOwnSessions();
  const endOthers = useEndOtherSessions();
  return (
    <section className="section" aria-label="Sessions">
      <h2>Where you are signed in</h2>
      <QueryPanel query={sessions} height={120}>
        {(data) => (
          <>
            <DataTable columns={COLUMNS} rows={data} rowKey={(row) => row.key} />
            {data.length > 1 ? (
              <Button mt={12} onClick={() => endOthers.mutate()} loading={endOthers.isPending}>
                End all other sessions
              </Button>
            ) : null}
          </>
        )}
      </QueryPanel>
      {endOthers.error ? <Failed error={endOthers.error} /> : null}
    </section>
  );
}

const COLUMNS: Column<OwnSession>[] = [
  {
    head: "Device",
    className: "strong",
    cell: (row) => (
      <>
        <span title={visible(row.agent)}>{deviceText(row.agent)}</span>
        {row.is_this ? <span className="dim"> (this one)</span> : null}
      </>
    ),
  },
  { head: "Address", className: "mono", cell: (row) => visible(row.address) },
  { head: "Signed in", className: "nowrap", cell: (row) => <TimeAgo at={row.started_at} /> },
  { head: "Last used", className: "nowrap", cell: (row) => <TimeAgo at={row.last_used_at} /> },
  { head: "End", isHeadHidden: true, isNumber: true, cell: (row) => (row.is_this ? null : <End row={row} />) },
];

function End({ row }: { row: OwnSession }) {
  const end = useEndSession(row.key);
  return (
    <>
      <Button size="compact-sm" onClick={() => end.mutate()} loading={end.isPending} aria-label={`End the session from ${row.address}`}>
        End
      </Button>
      {end.error ? <Failed error={end.error} /> : null}
    </>
  );
}
