import type { components } from '../generated/api';

export type Problem = components['schemas']['Problem'];

/** A refusal of the server, or what stands for one when no answer came. */
export class ProblemError extends Error {
  readonly problem: Problem;

  constructor(problem: Problem) {
    super(problem.detail);
    this.name = 'ProblemError';
    this.problem = problem;
  }

  get code(): string {
    return this.problem.code;
  }
}

/** The code of a request that got no answer. */
export const UNREACHABLE = 'unreachable';

/** The problem of an answer: its own words, or a sentence about an answer that is none of ours. */
export async function problemOf(response: Response): Promise<ProblemError> {
  const text = await response.text().catch(() => '');
  try {
    const parsed: unknown = JSON.parse(text);
    if (isProblem(parsed)) {
      return new ProblemError(parsed);
    }
  } catch {
    // Not JSON: a proxy in between has answered.
  }
  return new ProblemError({
    type: 'about:blank',
    title: response.statusText,
    status: response.status,
    detail: `expected an answer of Coppice, got status ${response.status} from something in between`,
    code: 'foreign-answer',
    target: null,
    traceId: null,
  });
}

/** The problem of a request without an answer. */
export function unreachable(reason: unknown): ProblemError {
  return new ProblemError({
    type: 'about:blank',
    title: 'Unreachable',
    status: 503,
    detail: reason instanceof Error ? reason.message : String(reason),
    code: UNREACHABLE,
    target: null,
    traceId: null,
  });
}

function isProblem(value: unknown): value is Problem {
  return (
    typeof value === 'object' &&
    value !== null &&
    typeof (value as Problem).code === 'string' &&
    typeof (value as Problem).detail === 'string'
  );
}
