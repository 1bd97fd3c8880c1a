import { Button } from "@mantine/core";
import { useState } from "react";
import { passkeyObstacle } from "@/entities/person/passkeys";
import type { Session } from "@/entities/person/types";
import { plural } from "@/shared/lib/format";
import { visible } from "@/shared/lib/text";
import { Callout } from "@/shared/ui/callout";
import { type Column, DataTable } from "@/shared/ui/data-table/data-table";
import { FormDialog } from "@/shared/ui/form-dialog";
import { QueryPanel } from "@/shared/ui/query-panel";
import { TimeAgo } from "@/shared/ui/time-ago";
import { factorHint, factorKind } from "./account-labels";
import { AddFactor } from "./add-factor";
import { useMakeRecoveryCodes, useRemoveFactor, useSecondFactors } from "./queries";
import { NewRecoveryCodes } from "./recovery-codes";
import { WithPassword } from "./with-password";

type Factor = NonNullable<ReturnType<typeof useSecondFactors>["data"]>["factors"][number];

/** What the sign-in asks for after the password: authenticator apps, passkeys and recovery codes. */
export function SecondFactors({ session }: { session: Session }) {
  const factors = useSecondFactors();
  return (
    <section className="section" aria-label="Second factor">
      <h2>Second factor</h2>
      <p className="dim small" style={{ marginBottom: 8 }}>
        {factorHint(session)}
      </p>
      <QueryPanel query={factors} height={120}>
        {(data) => {
          const obstacle = data.passkeys_problem || passkeyObstacle(data.passkey_host);
          return (
            <>
              {data.factors.length > 0 ? <DataTable columns={COLUMNS} rows={data.factors} rowKey={(row) => row.id} /> : null}
              <div className="row" style={{ marginTop: 12, flexWrap: "wrap" }}>
                <Add kind="authenticator" label="Add authenticator app" isMain={data.factors.length === 0} />
                <Add kind="passkey" label="Add passkey" isDisabled={obstacle !== ""} />
                {data.factors.length > 0 ? <RecoveryCodes left={data.recovery_codes_left} /> : null}
              </div>
              {obstacle ? <p className="dim small">{obstacle}</p> : null}
              {data.are_recovery_codes_short ? (
                <div style={{ marginTop: 12 }}>
                  <Callout status="warn">
                    Your recovery codes are shorter than those made today. They still work; create new ones to replace them.
                  </Callout>
                </div>
              ) : null}
            </>
          );
        }}
      </QueryPanel>
    </section>
  );
}

const COLUMNS: Column<Factor>[] = [
  { head: "Name", className: "strong", cell: (row) => visible(row.name) },
  { head: "Kind", cell: (row) => factorKind(row.kind) },
  { head: "Added", className: "nowrap", cell: (row) => <TimeAgo at={row.created_at} /> },
  { head: "Last used", className: "nowrap", cell: (row) => <TimeAgo at={row.last_used_at} none="Never used" /> },
  { head: "Remove", isHeadHidden: true, isNumber: true, cell: (row) => <Remove row={row} /> },
];

function Remove({ row }: { row: Factor }) {
  const remove = useRemoveFactor(row.id);
  return (
    <FormDialog
      title={`Remove ${row.name}`}
      opener={(open) => (
        <Button size="compact-sm" onClick={open} aria-label={`Remove ${row.name}`}>
          Remove
        </Button>
      )}
    >
      {(close) => (
        <WithPassword
          label="Remove"
          description="Sign-ins no longer accept it. Without any second factor, the password alone is enough."
          send={(password) => remove.mutateAsync(password)}
          whenDone={close}
        />
      )}
    </FormDialog>
  );
}

interface AddProps {
  kind: "authenticator" | "passkey";
  label: string;
  isMain?: boolean;
  isDisabled?: boolean;
}

function Add({ kind, label, isMain = false, isDisabled = false }: AddProps) {
  return (
    <FormDialog
      title={label}
      opener={(open) => (
        <Button variant={isMain ? "filled" : "default"} onClick={open} disabled={isDisabled}>
          {label}…
        </Button>
      )}
    >
      {(close) => <AddFactor kind={kind} close={close} />}
    </FormDialog>
  );
}

function RecoveryCodes({ left }: { left: number }) {
  const make = useMakeRecoveryCodes();
  const [codes, setCodes] = useState<string[]>([]);
  return (
    <FormDialog title="New recovery codes" opener={(open) => <Button onClick={open}>New recovery codes…</Button>}>
      {(close) =>
        codes.length > 0 ? (
          <NewRecoveryCodes
            codes={codes}
            close={() => {
              setCodes([]);
              close();
            }}
          />
        ) : (
          <WithPassword
            label="Create codes"
            description={`You have ${plural(left, "unused code")}. New codes replace all of them.`}
            send={(password) => make.mutateAsync(password)}
            whenDone={(made) => setCodes(made.codes)}
          />
        )
      }
    </FormDialog>
  );
}
