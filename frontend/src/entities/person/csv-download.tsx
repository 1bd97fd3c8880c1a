import { Button } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { IconDownload } from "@tabler/icons-react";
import { useMutation } from "@tanstack/react-query";
import { download, type Filters } from "@/shared/api/download";
import { ApiProblem } from "@/shared/api/problem";
import { Tooltip } from "@/shared/ui/tooltip";
import { useCan } from "./queries";

const NOT_ALLOWED = "Exporting needs the viewer role. Every export is recorded in the audit log.";

interface CsvDownloadProps {
  /** Which table, by the end of its address: `hosts.csv`. */
  table: `${string}.csv`;
  /** What it is, for the button's name: "these hosts". */
  about: string;
  /** The filters of the list beside it. */
  filters?: Filters;
  label?: string;
}

/** Takes a table along as CSV. Who may not is told why, instead of finding the button gone. */
export function CsvDownload({ table, about, filters, label = "Export CSV" }: CsvDownloadProps) {
  const mayExport = useCan().export ?? false;
  const take = useMutation({
    mutationFn: () => download(table, filters),
    onError: (error) => notifications.show({ title: "Export failed", message: ApiProblem.of(error).message }),
  });
  return (
    <Tooltip<HTMLButtonElement> label={mayExport ? undefined : NOT_ALLOWED}>
      {(target) => (
        <Button
          size="compact-sm"
          leftSection={<IconDownload size={14} />}
          aria-label={mayExport ? `Export ${about} as CSV` : `Export ${about} as CSV (not allowed). ${NOT_ALLOWED}`}
          aria-disabled={!mayExport}
          c={mayExport ? undefined : "dimmed"}
          loading={take.isPending}
          onClick={() => mayExport && take.mutate()}
          data-print="no"
          {...target}
        >
          {label}
        </Button>
      )}
    </Tooltip>
  );
}
