/**
 * Text that a host sent is shown as text and nothing else: React escapes markup, and the characters below, which could
 * reorder or hide what stands beside them (bidirectional controls, zero-width and other control characters), are written
 * as escapes that a person can see.
 */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what this looks for
const HIDDEN = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u061c\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb]/g;

/** The same text with every hidden or reordering character written as \uXXXX. */
export function visible(text: string): string {
  return text.replace(HIDDEN, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

/** Words that keep their case where a sentence begins. */
const OWN_CASE = /^(vCenter|vNIC|iSCSI|vSwitch|vSphere|esxcli|esxcfg)/;

/** The text with a capital first letter, as every label begins; names that begin with a small letter keep it. */
export const capital = (text: string): string => (OWN_CASE.test(text) ? text : text.charAt(0).toUpperCase() + text.slice(1));

/** The text with a small first letter, as it continues a sentence; abbreviations ("TCP", "L3 MTU") and names keep their capitals. */
export const small = (text: string): string =>
  /^[A-Z](?![A-Z0-9])[a-z-]*(?![A-Za-z0-9])/.test(text) ? text.charAt(0).toLowerCase() + text.slice(1) : text;

/** Letters that draw nothing: the API knows the same ones. */
const EMPTY = /[\p{Z}\p{C}\u115f\u1160\u3164\uffa0\u2800]/gu;

/** Whether anything of the text can be seen; a name of spaces and invisible characters alone is refused by the API. */
export const isSeen = (text: string): boolean => text.replace(EMPTY, "") !== "";
