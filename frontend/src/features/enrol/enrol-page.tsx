import { Callout } from "@/shared/ui/callout";
import { Empty } from "@/shared/ui/query-panel";
import { MakeToken } from "./make-token";
import { Tokens } from "./tokens";
import { Waiting } from "./waiting";

/** From a bare machine to a scored host: a token, one command on the host, an approval. */
export function EnrolPage({ canEnrol, canApprove, isLab }: { canEnrol: boolean; canApprove: boolean; isLab: boolean }) {
  if (!canEnrol && !canApprove) {
    return (
      <>
        <h1>Enrol</h1>
        <Empty title="Only admins can enrol hosts">Ask an admin for a token or for approval of a pending host.</Empty>
      </>
    );
  }
  return (
    <>
      <div className="page-head">
        <h1>Enrol hosts</h1>
        <span className="dim">Create a token, run one command on the host, then approve it below. The agent is read-only.</span>
      </div>
      {isLab ? (
        <div style={{ marginBottom: 20 }}>
          <Callout status="neutral">
            This is a lab. To begin with hosts of your own, remove it first: choose "Lab fleet…" at the top of any page.
          </Callout>
        </div>
      ) : null}
      {canEnrol ? <MakeToken /> : null}
      <Waiting canApprove={canApprove} />
      {canEnrol ? <Tokens /> : null}
    </>
  );
}
