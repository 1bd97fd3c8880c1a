import { Button } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { api, query } from "@/shared/api/client";
import type { Token } from "@/shared/api/types";
import { count, plural } from "@/shared/lib/format";
import { visible } from "@/shared/lib/text";
import { Empty, Failed, Panel } from "@/shared/ui/query-panel";
import { ScrollX } from "@/shared/ui/scroll-x";
import { Outcome } from "@/shared/ui/status";
import { Instant } from "@/shared/ui/time-ago";

export function Tokens() {
  const tokens = query.useQuery("get", "/api/v1/enrolment/tokens");
  return (
    <section className="section" aria-label="Tokens">
      <h2>Tokens</h2>
      <Panel query={tokens} height={110} isEmpty={(data) => data.length === 0} empty={<Empty title="No token has been made yet." />}>
        {(data) => (
          <ScrollX>
            <table className="data" data-fits>
              <thead>
                <tr>
                  <th scope="col">for</th>
                  <th scope="col">group</th>
                  <th scope="col" className="on-desk">
                    names
                  </th>
                  <th scope="col" className="on-desk">
                    approval
                  </th>
                  <th scope="col" className="num on-desk">
                    uses left
                  </th>
                  <th scope="col">ends</th>
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

function Row({ token }: { token: Token }) {
  const client = useQueryClient();
  const revoke = useMutation({
    mutationFn: () => api.DELETE("/api/v1/enrolment/tokens/{token_id}", { params: { path: { token_id: token.id } } }),
    onSuccess: () => client.invalidateQueries({ queryKey: ["get", "/api/v1/enrolment/tokens"] }),
  });
  const approval = token.is_auto_approved ? "by the token" : "by a person";
  const isOver = new Date(token.expires_at).getTime() < Date.now();
  return (
    <tr>
      <td>
        {visible(token.name)}
        <div className="dim small on-phone">
          {token.name_pattern ? `names ${visible(token.name_pattern)}` : "any name"}; approved {approval}; {plural(token.uses_left, "use")}{" "}
          left
        </div>
      </td>
      <td>{visible(token.group_name)}</td>
      <td className="mono on-desk">{token.name_pattern ? visible(token.name_pattern) : "any"}</td>
      <td className="dim on-desk">{approval}</td>
      <td className="num on-desk">{count(token.uses_left)}</td>
      <td className="nowrap">
        <Instant at={token.expires_at} />
      </td>
      <td className="num">
        {token.revoked_at ? (
          <Outcome status="neutral">revoked</Outcome>
        ) : isOver ? (
          <Outcome status="neutral">ended</Outcome>
        ) : token.uses_left === 0 ? (
          <Outcome status="neutral">used up</Outcome>
        ) : (
          <Button
            size="compact-sm"
            onClick={() => revoke.mutate()}
            loading={revoke.isPending}
            aria-label={`Revoke the token ${token.name}`}
          >
            Revoke
          </Button>
        )}
        {revoke.error ? <Failed error={revoke.error} /> : null}
      </td>
    </tr>
  );
}
