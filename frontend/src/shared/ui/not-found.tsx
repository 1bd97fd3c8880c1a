import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { ApiProblem } from "@/shared/api/problem";
import type { QueryState } from "./query-panel";

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

/** The page of a thing that is not there: its heading says so, once. */
export function NotFound({ what, title, to, children }: NotFoundProps) {
  return (
    <>
      <h1>{title}</h1>
      {children ? <p>{children}</p> : null}
      <p>
        <Link to={to} className="link">
          View all {what}s
        </Link>
      </p>
    </>
  );
}
