import { Checkbox } from "@mantine/core";
import { Failed, QueryPanel } from "@/shared/ui/query-panel";
import { useSetSignInPolicy, useSignInPolicy } from "./queries";

/** Rules for signing in to the whole installation. */
export function SignInPolicy() {
  const policy = useSignInPolicy();
  const set = useSetSignInPolicy();
  return (
    <section aria-label="Local accounts" style={{ marginBottom: 24 }}>
      <h2>Local accounts</h2>
      <QueryPanel query={policy} height={60}>
        {(data) => (
          <Checkbox
            label="Require a second factor from approvers"
            description="Without one they can sign in, but not approve plans, waivers, baselines, conflict resolutions or standing approvals. Users of the identity provider use its second factor."
            checked={set.isPending ? set.variables : data.is_second_factor_required}
            disabled={set.isPending}
            onChange={(event) => set.mutate(event.currentTarget.checked)}
          />
        )}
      </QueryPanel>
      {set.error ? <Failed error={set.error} /> : null}
    </section>
  );
}
