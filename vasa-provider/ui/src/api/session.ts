import type { components } from '../generated/api';
import { problemOf, ProblemError, unreachable } from './problem';
import { ROOT } from './call';
import { Store } from './store';

export type OwnSession = components['schemas']['OwnSession'];
export type LoginSource = components['schemas']['LoginSourcesLoginSource'];

/**
 * The session of this page.
 *
 * - `unknown`: not asked yet.
 * - `none`: somebody has to log in before anything is shown.
 * - `open`: logged in.
 * - `ended`: it ended while a page was open, which stays as it is until the next login.
 */
export type Session =
  | { state: 'unknown' }
  | { state: 'none'; why: ProblemError | null }
  | { state: 'open'; own: OwnSession }
  | { state: 'ended'; own: OwnSession; why: string };

export const session = new Store<Session>({ state: 'unknown' });

const JSON_TYPE = 'application/json';
let waiting: (() => void)[] = [];

async function request(method: string, path: string, body?: unknown): Promise<Response> {
  const headers: Record<string, string> = { Accept: JSON_TYPE };
  const csrf = csrfToken();
  if (csrf !== undefined) {
    headers['X-Coppice-CSRF'] = csrf;
  }
  if (body !== undefined) {
    headers['Content-Type'] = JSON_TYPE;
  }
  const response = await fetch(ROOT + path, {
    method,
    headers,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  }).catch((reason: unknown) => {
    throw unreachable(reason);
  });
  if (!response.ok) {
    throw await problemOf(response);
  }
  return response;
}

/** The token that each change needs beside the cookie; none while nobody is logged in. */
export function csrfToken(): string | undefined {
  const now = session.get();
  return now.state === 'open' ? now.own.csrf : undefined;
}

/** Asks whether the browser has a session already, as after a reload. */
export async function findSession(): Promise<void> {
  try {
    const response = await request('GET', '/session');
    opened((await response.json()) as OwnSession);
  } catch (e) {
    const problem = e instanceof ProblemError ? e : unreachable(e);
    session.set({ state: 'none', why: problem.problem.status === 401 ? null : problem });
  }
}

/** Who can log in where. Needs no login. */
export async function loginSources(): Promise<LoginSource[]> {
  const response = await request('GET', '/session/sources');
  return ((await response.json()) as components['schemas']['LoginSources']).sources;
}

/** @throws ProblemError with the reason of the server */
export async function login(name: string, password: string, source: string | null): Promise<void> {
  const body = source === null ? { name, password } : { name, password, source };
  const response = await request('POST', '/session', body);
  opened((await response.json()) as OwnSession);
}

/**
 * Makes the first account, of the role admin, with the token of the provider's home. The token is
 * used for this one request and kept nowhere.
 *
 * @throws ProblemError with the reason of the server
 */
export async function makeFirstAccount(
  token: string,
  name: string,
  password: string,
): Promise<void> {
  const response = await fetch(`${ROOT}/accounts`, {
    method: 'POST',
    headers: {
      Accept: JSON_TYPE,
      'Content-Type': JSON_TYPE,
      Authorization: `Bearer ${token}`,
      'Idempotency-Key': crypto.randomUUID(),
    },
    credentials: 'omit',
    body: JSON.stringify({ name, password, role: 'admin' }),
  }).catch((reason: unknown) => {
    throw unreachable(reason);
  });
  if (!response.ok) {
    throw await problemOf(response);
  }
}

/** Ends the session, here and at the server. */
export async function logout(): Promise<void> {
  try {
    await request('DELETE', '/session');
  } catch (e) {
    if (!(e instanceof ProblemError) || e.problem.status !== 401) {
      throw e;
    }
  }
  session.set({ state: 'none', why: null });
}

function opened(own: OwnSession): void {
  const before = session.get();
  if (before.state === 'ended' && before.own.name !== own.name) {
    // Another person: nothing that the former one has left on the page may stay.
    window.location.assign('/ui/');
    return;
  }
  session.set({ state: 'open', own });
  const woken = waiting;
  waiting = [];
  woken.forEach((wake) => wake());
}

/** Notes that the server knows the session no more. The page stays, and asks for a login. */
export function sessionEnded(why: string): void {
  const now = session.get();
  if (now.state === 'open') {
    session.set({ state: 'ended', own: now.own, why });
  }
}

/** Waits until somebody is logged in again. */
export function loggedInAgain(): Promise<void> {
  return session.get().state === 'open'
    ? Promise.resolve()
    : new Promise((resolve) => waiting.push(resolve));
}
