import { JobTable } from "@/entities/job/job-table";
import { useJobs } from "@/entities/job/queries";
import { PagedList, usePages } from "@/shared/ui/paged-list";
import { Empty } from "@/shared/ui/query-panel";

/** What was changed on this host through Plumbline, newest first. */
export function JobsTab({ hostId }: { hostId: string }) {
  const jobs = useJobs({ host: hostId });
  const pages = usePages(jobs);
  return (
    <PagedList
      pages={pages}
      height={280}
      lines={8}
      empty={
        <Empty title="No jobs on this host">
          Jobs are created when a plan is approved. To start, choose Plan fix on a failing finding.
        </Empty>
      }
    >
      {(rows) => (
        <section aria-label="Jobs">
          <JobTable rows={rows} hasHost={false} />
        </section>
      )}
    </PagedList>
  );
}
