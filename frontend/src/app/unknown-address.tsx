import { Link } from "@tanstack/react-router";
import { Empty } from "@/shared/ui/query-panel";

export function UnknownAddress() {
  return (
    <Empty
      title="Page not found"
      action={
        <Link to="/" className="link">
          Go to overview
        </Link>
      }
    >
      Check the address, or go to the overview.
    </Empty>
  );
}
