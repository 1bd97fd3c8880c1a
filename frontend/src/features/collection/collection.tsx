import { Credentials } from "./credentials";
import { Hosts } from "./hosts";
import { VCenters } from "./vcenters";

/** Hosts that run no agent: Plumbline signs in to them, reads, and posts what they say as any agent would. */
export function Collection() {
  return (
    <>
      <p className="dim" style={{ marginBottom: 16, maxWidth: "80ch" }}>
        For hosts without an agent, Plumbline collects data over SSH (ESXi) or WinRM (Windows). Collection is read-only. Credentials are
        sent only to hosts whose key has been verified.
      </p>
      <Hosts />
      <VCenters />
      <Credentials />
    </>
  );
}
