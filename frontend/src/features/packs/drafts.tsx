import { Button } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import type { Draft } from "@/entities/pack/types";
import { count } from "@/shared/lib/format";
import { visible } from "@/shared/lib/text";
import { type Column, DataTable } from "@/shared/ui/data-table/data-table";
import { StatusLabel } from "@/shared/ui/status";
import { TimeAgo } from "@/shared/ui/time-ago";
import { useDiscard, useDrafts } from "./queries";

const columnsOf = (discard: ReturnType<typeof useDiscard>): Column<Draft>[] => [
  {
    head: "Pack",
    cell: (draft) => (
      <>
        <Link
          to="/packs/$pack"
          params={{ pack: draft.pack }}
          search={{ draft: draft.id, old: draft.previous_version_id ?? undefined }}
          className="link"
        >
          {visible(draft.title)}
        </Link>
        <div className="dim small">{visible(draft.source)}</div>
      </>
    ),
  },
  { head: "Version", className: "mono", cell: (draft) => draft.version },
  { head: "Rules", isNumber: true, cell: (draft) => count(draft.rules) },
  { head: "Uploaded", cell: (draft) => <TimeAgo at={draft.made_at} /> },
  {
    head: "Status",
    cell: (draft) =>
      draft.obstacle ? <StatusLabel status="warn">{draft.obstacle}</StatusLabel> : <StatusLabel status="pass">Valid</StatusLabel>,
  },
  {
    head: "Actions",
    isHeadHidden: true,
    isNumber: true,
    cell: (draft) => (
      <Button
        size="compact-xs"
        aria-label={`Delete draft ${draft.pack} ${draft.version}`}
        loading={discard.isPending && discard.variables === draft.id}
        onClick={() => discard.mutate(draft.id)}
      >
        Delete
      </Button>
    ),
  },
];

/** Packs that were uploaded and not published; nothing is drawn where there is none. */
export function Drafts() {
  const drafts = useDrafts(true);
  const discard = useDiscard();
  if (!drafts.data || drafts.data.length === 0) return null;
  return (
    <section className="section" aria-label="Drafts" style={{ marginBottom: 30 }}>
      <h2>
        Drafts <span className="dim">not published yet</span>
      </h2>
      <DataTable columns={columnsOf(discard)} rows={drafts.data} rowKey={(draft) => draft.id} />
    </section>
  );
}
