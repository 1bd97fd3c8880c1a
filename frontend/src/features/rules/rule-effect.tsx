import { query } from "@/shared/api/client";
import { measured, plural } from "@/shared/lib/format";

/** What fixing the rule did here, in a line; nothing where no job fixed it lately. */
export function RuleEffect({ pack, rule }: { pack: string; rule: string }) {
  const effect = query.useQuery("get", "/api/v1/rules/{pack}/{rule}/effect", { params: { path: { pack, rule } } });
  if (!effect.data || effect.data.counters.length === 0) return null;
  return (
    <section className="section" aria-label="Effect here">
      <h2>
        Effect here{" "}
        <span className="dim">a day before and after its jobs of the last {effect.data.days} days. An observation, not a proof</span>
      </h2>
      <ul>
        {effect.data.counters.map((one) => (
          <li key={one.name}>
            {one.label}: {measured(one.before, one.unit)} to {measured(one.after, one.unit)} ({plural(one.jobs, "job")})
          </li>
        ))}
      </ul>
    </section>
  );
}
