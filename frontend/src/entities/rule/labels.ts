const BANDS: Record<string, string> = {
  instability: "Outage or instability",
  effect_25_or_more: "25% or more",
  effect_10_to_25: "10–25%",
  retransmit: "Retransmits or CPU only",
  stated: "No figure published",
};

/** How large the effect is that the paper reports; the weight grows with it. */
export const effectSizeLabel = (band: string): string => BANDS[band] ?? band.replaceAll("_", " ");

/** A place in a paper as people cite it: bare numbers are sections ("4.2.7, Figure 4" reads "§4.2.7, Figure 4"). */
export const citationText = (at: string): string => at.replace(/(^|, )(?=(?:\d+(?:\.\d+)*|[A-Z]\.\d+)(?:,|$))/g, "$1§");

/** The kind of a rule as people write it. */
export const kindLabel = (kind: string): string => (kind === "guard_rail" ? "guardrail" : kind.replaceAll("_", " "));
