import { getRouteApi } from "@tanstack/react-router";
import { ProofPage } from "@/features/proofs/proof-page";

const route = getRouteApi("/proofs/$proofId");

export function ProofRoute() {
  const { proofId } = route.useParams();
  return <ProofPage proofId={Number(proofId)} />;
}
