import { Button } from "@mantine/core";
import { query } from "@/shared/api/client";
import { visible } from "@/shared/lib/text";
import { exact } from "@/shared/lib/time";
import { Failed } from "@/shared/ui/query-panel";
import { useZone } from "@/shared/ui/time-ago";

type Scope = { host_id: string } | { group_id: number };

/** What the hosts hear of their switches. A person puts it into the statement, or contradicts it: nothing is attested by itself. */
export function SwitchEvidence({ use, ...scope }: Scope & { use: (text: string) => void }) {
  const zone = useZone();
  const heard = query.useQuery("get", "/api/v1/switch-evidence", { params: { query: scope } });
  if (heard.error) return <Failed error={heard.error} />;
  if (!heard.data) return <p className="dim">Loading what the hosts hear of their switches…</p>;
  const { text, as_of } = heard.data;
  if (text === "") return <p className="dim">No host of this scope hears a switch, so there is no evidence from the hosts.</p>;
  return (
    <section aria-label="Evidence from the hosts">
      <p>
        <span className="dim">Evidence from the hosts: </span>
        {visible(text)}
      </p>
      <Button mt={6} size="compact-sm" onClick={() => use(`As heard by the hosts on ${exact(as_of, zone)}: ${text}`)}>
        Add to statement
      </Button>
    </section>
  );
}
