import { isoOf, type Span } from '../../text/duration';

export type Action = 'raise-max-lock' | 'lower-bin-time';

/** A change that takes two accounts, as it is typed. */
export interface ApprovalDraft {
  action: Action;
  /** Of `lower-bin-time`: the id of a container; empty while none is chosen. */
  container: string;
  time: Span;
}

/** The value that is asked for; absent while something is missing. */
export function approvalValue({ action, container, time }: ApprovalDraft): string | undefined {
  const iso = isoOf(time);
  if (iso === undefined) {
    return undefined;
  }
  if (action === 'raise-max-lock') {
    return iso ?? undefined;
  }
  return container === '' ? undefined : `${container} ${iso ?? 'default'}`;
}

/** The container and the time in a value; the container is absent where there is none. */
export function valueParts(value: string): { container: string | undefined; time: string } {
  const [first, second] = value.split(' ');
  return second === undefined
    ? { container: undefined, time: value }
    : { container: first, time: second };
}
