import { Button } from "@mantine/core";
import { JobList } from "@/entities/job/job-table";
import { useJobs } from "@/entities/job/queries";
import { Empty, Panel } from "@/shared/ui/query-panel";

/** What was changed on this host through Plumbline, newest first. */
export function JobsTab({ hostId }: { hostId: string }) {
  const jobs = useJobs({ host: hostId });
  const rows = jobs.data?.pages.flatMap((page) => page.items) ?? [];
  return (
    <Panel
      query={jobs}
      height={280}
      lines={8}
      isEmpty={() => rows.length === 0}
      empty={
        <Empty title="Nothing has been changed on this host through Plumbline.">
          A job is made when a plan with this host is approved: choose “Plan fix” beside a failing finding.
        </Empty>
      }
    >
      {() => (
        <section aria-label="Jobs">
          <JobList rows={rows} hasHost={false} />
          {jobs.hasNextPage ? (
            <Button mt={10} onClick={() => void jobs.fetchNextPage()} loading={jobs.isFetchingNextPage}>
              Show more
            </Button>
          ) : null}
        </section>
      )}
    </Panel>
  );
}
