import { Empty } from "@/shared/ui/query-panel";
import { MakeToken } from "./make-token";
import { Tokens } from "./tokens";
import { Waiting } from "./waiting";

/** From a bare machine to a scored host: a token, one command on the host, an approval. */
export function EnrolPage({ canEnrol, canApprove }: { canEnrol: boolean; canApprove: boolean }) {
  if (!canEnrol && !canApprove) {
    return (
      <>
        <h1>Enrol</h1>
        <Empty title="Enrolling hosts is for admins.">Ask one of them for a token, or to approve a host that waits.</Empty>
      </>
    );
  }
  return (
    <>
      <div className="page-head">
        <h1>Enrol a host</h1>
        <span className="dim">Make a token, run one command on the host, approve it below. The agent reads and never writes.</span>
      </div>
      {canEnrol ? <MakeToken /> : null}
      <Waiting canApprove={canApprove} />
      {canEnrol ? <Tokens /> : null}
    </>
  );
}
