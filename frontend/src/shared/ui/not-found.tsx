import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { ApiProblem } from "@/shared/api/problem";
import { capital } from "@/shared/lib/text";
import { Empty, type QueryState } from "./query-panel";

/** The server knows no such thing, or will not say that it does. */
export const isMissing = (query: Pick<QueryState<unknown>, "data" | "error">): boolean =>
  query.data === undefined && query.error instanceof ApiProblem && query.error.status === 404;

interface NotFoundProps {
  /** What people call it: "host". */
  what: string;
  title: string;
  /** Where the others are listed. */
  to: "/benchmarks" | "/hosts" | "/jobs" | "/remediate" | "/reports" | "/rules" | "/waivers";
  children?: ReactNode;
}

/** The page of a thing that is not there. */
export function NotFound({ what, title, to, children }: NotFoundProps) {
  return (
    <>
      <h1>{capital(what)} not found</h1>
      <Empty
        title={title}
        action={
          <Link to={to} className="link">
            View all {what}s
          </Link>
        }
      >
        {children}
      </Empty>
    </>
  );
}
