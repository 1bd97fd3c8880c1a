import { Link } from "@tanstack/react-router";
import { Empty } from "@/shared/ui/query-panel";

export function UnknownAddress() {
  return (
    <Empty
      title="There is no page at this address."
      action={
        <Link to="/" className="link">
          Go to the overview
        </Link>
      }
    >
      It may be a page of a later version, or the address was cut short on its way.
    </Empty>
  );
}
