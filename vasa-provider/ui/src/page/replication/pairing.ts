const CODE = /^[0-9A-Z]{20}$/;

/** Whether a text has the form of a pairing code; blanks, dashes and small letters do not matter. */
export function isCode(typed: string): boolean {
  return CODE.test(typed.replace(/[\s-]/g, '').toUpperCase());
}

/** The tags of a text that has them between commas. */
export function tagsOf(typed: string): string[] {
  return [...new Set(typed.split(',').map((tag) => tag.trim()))].filter((tag) => tag !== '');
}
