import { type Call, urlOf } from './call';
import { problemOf, ProblemError, unreachable } from './problem';
import { csrfToken, loggedInAgain, sessionEnded } from './session';

/** An answer with the tag of its object, for a change that must not undo another one. */
export interface Tagged<T> {
  value: T;
  tag: string | null;
}

/**
 * Sends a call. If the session has ended, it waits for the next login and sends the call again:
 * nothing that was typed is lost, and a change takes effect once, by its idempotency key.
 *
 * @throws ProblemError if the server refuses it or cannot be reached
 */
export async function send<T>(call: Call<T>, signal?: AbortSignal): Promise<T> {
  return (await sendTagged(call, signal)).value;
}

export async function sendTagged<T>(call: Call<T>, signal?: AbortSignal): Promise<Tagged<T>> {
  const response = await answerTo(call, 'application/json', signal);
  return { value: await valueOf<T>(response), tag: response.headers.get('ETag') };
}

/**
 * The answer to a call, as {@link send} gets it, whatever is in it.
 *
 * @param accept the type that is wanted
 */
export async function answerTo(
  call: Call,
  accept: string,
  signal?: AbortSignal,
): Promise<Response> {
  const idempotencyKey = call.method === 'POST' ? crypto.randomUUID() : undefined;
  for (;;) {
    const response = await fetch(urlOf(call), {
      method: call.method,
      headers: headersOf(call, accept, idempotencyKey),
      ...(call.body === undefined ? {} : { body: JSON.stringify(call.body) }),
      ...(signal === undefined ? {} : { signal }),
    }).catch((reason: unknown) => {
      if (signal?.aborted === true) {
        throw reason;
      }
      throw unreachable(reason);
    });
    if (response.ok) {
      return response;
    }
    const problem: ProblemError = await problemOf(response);
    if (problem.problem.status !== 401) {
      throw problem;
    }
    sessionEnded(problem.message);
    await loggedInAgain();
  }
}

function headersOf(
  call: Call,
  accept: string,
  idempotencyKey: string | undefined,
): Record<string, string> {
  const headers: Record<string, string> = { Accept: accept };
  const csrf = csrfToken();
  if (call.method !== 'GET' && csrf !== undefined) {
    headers['X-Coppice-CSRF'] = csrf;
  }
  if (call.body !== undefined) {
    headers['Content-Type'] = 'application/json';
  }
  if (idempotencyKey !== undefined) {
    headers['Idempotency-Key'] = idempotencyKey;
  }
  if (call.ifMatch !== undefined) {
    headers['If-Match'] = call.ifMatch;
  }
  return headers;
}

async function valueOf<T>(response: Response): Promise<T> {
  const text = await response.text();
  return (text === '' ? undefined : JSON.parse(text)) as T;
}
