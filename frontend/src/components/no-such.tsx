import type { ReactNode } from "react";
import { ApiProblem } from "@/api/problem";
import { Empty, type Loading } from "./panel";

/** The server knows no such thing, or will not say that it does. */
export const isMissing = (query: Pick<Loading<unknown>, "data" | "error">): boolean =>
  query.data === undefined && query.error instanceof ApiProblem && query.error.status === 404;

interface NoSuchProps {
  /** What people call it: "host". */
  what: string;
  title: string;
  /** The way on, as a link. */
  action: ReactNode;
  children?: ReactNode;
}

/** The page of a thing that is not there. */
export function NoSuch({ what, title, action, children }: NoSuchProps) {
  return (
    <>
      <h1>No such {what}</h1>
      <Empty title={title} action={action}>
        {children}
      </Empty>
    </>
  );
}
