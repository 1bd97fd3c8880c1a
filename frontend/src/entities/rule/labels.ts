/** A place in a paper as people cite it: bare numbers are sections ("4.2.7, Figure 4" reads "§4.2.7, Figure 4"). */
export const placeWord = (at: string): string => at.replace(/(^|, )(?=(?:\d+(?:\.\d+)*|[A-Z]\.\d+)(?:,|$))/g, "$1§");
