import { Button, Chip } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { JobTable } from "@/entities/job/job-table";
import { useJobs } from "@/entities/job/queries";
import { CsvDownload } from "@/entities/person/csv-download";
import type { PatchSearch } from "@/shared/lib/patch-search";
import { toggled } from "@/shared/lib/search";
import { PagedList, usePages } from "@/shared/ui/paged-list";
import { Empty } from "@/shared/ui/query-panel";
import styles from "./jobs.module.css";
import { FILTERS } from "./labels";
import { PendingEffects } from "./pending";
import type { JobsSearch } from "./search";

/** Every job that this person may see, newest first. */
export function JobsPage({ search, setSearch }: { search: JobsSearch; setSearch: PatchSearch<JobsSearch> }) {
  const jobs = useJobs({
    state: search.state,
    host: search.host,
    plan: search.plan,
    is_open: search.show === undefined ? undefined : search.show === "open",
  });
  const pages = usePages(jobs);
  const isFiltered = Object.values(search).some((one) => one !== undefined);
  return (
    <>
      <div className="page-head">
        <h1>Jobs</h1>
        <span className="dim">One job per host of an approved plan, run step by step and verified by a check-in</span>
      </div>
      <PendingEffects />
      <Filters search={search} setSearch={setSearch} />
      <PagedList
        pages={pages}
        height={420}
        lines={12}
        empty={
          isFiltered ? (
            <Empty
              title="No matching jobs"
              action={
                <Button
                  size="compact-sm"
                  onClick={() => setSearch({ state: undefined, show: undefined, plan: undefined, host: undefined })}
                >
                  Clear filters
                </Button>
              }
            />
          ) : (
            <Empty
              title="No jobs yet"
              action={
                <Link to="/remediate" className="link">
                  View plans
                </Link>
              }
            >
              A job is created for each host when a plan is approved.
            </Empty>
          )
        }
      >
        {(rows) => (
          <section aria-label="Jobs">
            <JobTable rows={rows} />
          </section>
        )}
      </PagedList>
    </>
  );
}

const SHOW = [
  { show: "open", label: "Open" },
  { show: "ended", label: "Finished" },
] as const;

function Filters({ search, setSearch }: { search: JobsSearch; setSearch: PatchSearch<JobsSearch> }) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset would say that this is a form
    <div className={styles.filters} role="group" aria-label="Filters">
      {SHOW.map(({ show, label }) => (
        <Chip
          key={show}
          size="xs"
          variant="outline"
          color="gray"
          checked={search.show === show}
          onChange={() => setSearch({ show: search.show === show ? undefined : show })}
        >
          {label}
        </Chip>
      ))}
      <span className={styles.bar} aria-hidden="true" />
      {FILTERS.map((one) => (
        <Chip
          key={one.state}
          size="xs"
          variant="outline"
          color="gray"
          checked={search.state?.includes(one.state) ?? false}
          onChange={() => setSearch({ state: toggled(search.state, one.state) as JobsSearch["state"] })}
        >
          {one.label}
        </Chip>
      ))}
      {search.plan !== undefined ? (
        <Chip size="xs" variant="outline" color="gray" checked onChange={() => setSearch({ plan: undefined })}>
          Plan {search.plan}
        </Chip>
      ) : null}
      {search.host !== undefined ? (
        <Chip size="xs" variant="outline" color="gray" checked onChange={() => setSearch({ host: undefined })}>
          One host
        </Chip>
      ) : null}
      <CsvDownload
        table="jobs.csv"
        about="these jobs"
        filters={{
          state: search.state,
          host: search.host,
          plan: search.plan,
          is_open: search.show === undefined ? undefined : search.show === "open",
        }}
      />
    </div>
  );
}
