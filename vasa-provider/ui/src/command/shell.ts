const PLAIN = /^[A-Za-z0-9_@%+=:,./-]+$/;

/** A word for a POSIX shell that stays one word, whatever is in it. */
export function word(text: string): string {
  return PLAIN.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}
