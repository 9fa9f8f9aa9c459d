/** A whole number within bounds; absent if the text is none. */
export function parseCount(text: string, least: number, most: number): number | undefined {
  const trimmed = text.trim();
  const value = /^\d{1,9}$/.test(trimmed) ? Number(trimmed) : NaN;
  return value >= least && value <= most ? value : undefined;
}
