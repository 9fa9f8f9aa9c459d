export type Labels = Record<string, string>;

/** What was typed as labels: the labels, or why it is none. */
export type TypedLabels =
  | { labels: Labels }
  | { wrong: 'line'; text: string }
  | { wrong: 'twice'; text: string };

/** Labels as text, one a line. */
export function textOfLabels(labels: Readonly<Labels>): string {
  return Object.entries(labels)
    .map(([key, value]) => `${key}=${value}`)
    .join('\n');
}

/** Reads labels, one a line; empty lines count for nothing. */
export function parseLabels(text: string): TypedLabels {
  const labels: Labels = {};
  for (const line of text.split('\n')) {
    if (line.trim() === '') {
      continue;
    }
    const equals = line.indexOf('=');
    if (equals < 1) {
      return { wrong: 'line', text: line };
    }
    const key = line.slice(0, equals).trim();
    if (Object.hasOwn(labels, key)) {
      return { wrong: 'twice', text: key };
    }
    labels[key] = line.slice(equals + 1).trim();
  }
  return { labels };
}

/** The change that leads from some labels to others: null takes a label away (RFC 7396). */
export function changeOf(
  before: Readonly<Labels>,
  after: Readonly<Labels>,
): Record<string, string | null> {
  const change: Record<string, string | null> = {};
  for (const key of Object.keys(before)) {
    if (!Object.hasOwn(after, key)) {
      change[key] = null;
    }
  }
  for (const [key, value] of Object.entries(after)) {
    if (before[key] !== value) {
      change[key] = value;
    }
  }
  return change;
}
