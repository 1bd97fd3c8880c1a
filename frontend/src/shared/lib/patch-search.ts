/** Changes part of a page's address; `replace` keeps it out of the browser's history (typing in a search field). */
export type PatchSearch<T> = (patch: Partial<T>, replace?: boolean) => void;
