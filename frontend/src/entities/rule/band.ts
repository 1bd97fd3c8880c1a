const BANDS: Record<string, string> = {
  instability: "outage or instability",
  effect_25_or_more: "25 % or more",
  effect_10_to_25: "10 to 25 %",
  retransmit: "retransmits or processor only",
  stated: "no figure printed",
};

/** How large the effect is that the paper tells of; the weight grows with it. */
export const bandWord = (band: string): string => BANDS[band] ?? band.replaceAll("_", " ");
