import { plural } from "@/shared/lib/format";
import type { PortIssue, SwitchRow } from "./types";

const WORDS: Record<PortIssue, string> = {
  link_down: "link down",
  not_heard: "no longer heard",
  paths_down: "with paths down",
  frames: "losing large frames",
  mtu: "with an MTU below the host's",
};

/** What is wrong with the ports of a switch, the most frequent first: "7 link down, 2 with paths down". */
export const issuesText = (issues: SwitchRow["issues"]): string =>
  (Object.entries(issues) as [PortIssue, number][])
    .sort((one, other) => other[1] - one[1])
    .map(([issue, ports]) => `${ports} ${WORDS[issue]}`)
    .join(", ");

/** What a stranger needs to know of hosts that hang on one switch. */
export const onlyHereText = (hosts: number): string => `${plural(hosts, "host")} on this switch only`;

export const protocolText = (protocol: string): string => protocol.toUpperCase();
