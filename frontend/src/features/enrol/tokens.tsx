import { Button } from "@mantine/core";
import { count } from "@/shared/lib/format";
import { visible } from "@/shared/lib/text";
import { type Column, DataTable } from "@/shared/ui/data-table/data-table";
import { Empty, Failed, QueryPanel } from "@/shared/ui/query-panel";
import { StatusLabel } from "@/shared/ui/status";
import { TimeAgo } from "@/shared/ui/time-ago";
import { useRevokeToken, useTokens } from "./queries";
import type { Token } from "./types";

export function Tokens() {
  const tokens = useTokens();
  return (
    <section className="section" aria-label="Tokens">
      <h2>Tokens</h2>
      <QueryPanel query={tokens} height={110} isEmpty={(data) => data.length === 0} empty={<Empty title="No tokens" />}>
        {(data) => <DataTable columns={COLUMNS} rows={data} rowKey={(token) => token.id} />}
      </QueryPanel>
    </section>
  );
}

const COLUMNS: Column<Token>[] = [
  { head: "Purpose", cell: (token) => visible(token.name) },
  { head: "Group", cell: (token) => visible(token.group_name) },
  { head: "Host names", className: "mono", cell: (token) => (token.name_pattern ? visible(token.name_pattern) : "any") },
  { head: "Approval", className: "dim", cell: (token) => (token.is_auto_approved ? "Automatic" : "Manual") },
  { head: "Uses left", isNumber: true, cell: (token) => count(token.uses_left) },
  { head: "Expires", className: "nowrap", cell: (token) => <TimeAgo at={token.expires_at} /> },
  { head: "Revoke", isHeadHidden: true, isNumber: true, cell: (token) => <Revoke token={token} /> },
];

/** Why a token lets nobody in any more. */
function endOf(token: Token): string | null {
  if (token.revoked_at) return "Revoked";
  if (new Date(token.expires_at).getTime() < Date.now()) return "Expired";
  return token.uses_left === 0 ? "Used up" : null;
}

function Revoke({ token }: { token: Token }) {
  const revoke = useRevokeToken(token.id);
  const end = endOf(token);
  return (
    <>
      {end ? (
        <StatusLabel status="neutral">{end}</StatusLabel>
      ) : (
        <Button size="compact-sm" onClick={() => revoke.mutate()} loading={revoke.isPending} aria-label={`Revoke the token ${token.name}`}>
          Revoke
        </Button>
      )}
      {revoke.error ? <Failed error={revoke.error} /> : null}
    </>
  );
}
