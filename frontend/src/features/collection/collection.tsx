import { Credentials } from "./credentials";
import { Hosts } from "./hosts";
import { VCenters } from "./vcenters";

/** Hosts that run no agent: Plumbline signs in to them, reads, and posts what they say as any agent would. */
export function Collection() {
  return (
    <>
      <p className="dim" style={{ marginBottom: 16, maxWidth: "80ch" }}>
        Where no agent may be installed, Plumbline reads the host itself: ESXi over SSH, Windows over WinRM. It reads and never writes, and
        it sends a credential only to a key that a person has confirmed.
      </p>
      <Hosts />
      <VCenters />
      <Credentials />
    </>
  );
}
