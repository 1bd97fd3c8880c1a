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

/** Letters that draw nothing: the API knows the same ones. */
const EMPTY = /[\p{Z}\p{C}\u115f\u1160\u3164\uffa0\u2800]/gu;

/** Whether anything of the text can be seen; a name of spaces and invisible characters alone is refused by the API. */
export const isSeen = (text: string): boolean => text.replace(EMPTY, "") !== "";
