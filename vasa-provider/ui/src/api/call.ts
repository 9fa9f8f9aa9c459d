import type { paths } from '../generated/api';
import { OPERATIONS } from '../generated/operations';

/** Where the API begins. */
export const ROOT = '/api/v1';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
export type OperationKey = keyof typeof OPERATIONS;

type KeyPath<K extends string> = K extends `${Method} ${infer P}` ? P : never;
type KeyMethod<K extends string> = K extends `${infer M} /${string}` ? Lowercase<M> : never;
type Described<K extends OperationKey> = `/api/v1${KeyPath<K>}` extends keyof paths
  ? KeyMethod<K> extends keyof paths[`/api/v1${KeyPath<K>}`]
    ? paths[`/api/v1${KeyPath<K>}`][KeyMethod<K>]
    : never
  : never;
type Part<O, N extends string> = O extends { parameters: infer P }
  ? N extends keyof P
    ? P[N]
    : undefined
  : undefined;
type Body<O> = O extends { requestBody?: infer B }
  ? NonNullable<B> extends { content: { 'application/json': infer J } }
    ? J
    : undefined
  : undefined;
type Good<O> = O extends { responses: infer R }
  ? {
      [S in keyof R]: S extends 200 | 201 | 202
        ? R[S] extends { content: { 'application/json': infer J } }
          ? J
          : never
        : never;
    }[keyof R]
  : never;

/** What an operation needs. */
export interface Input<K extends OperationKey> {
  path?: Part<Described<K>, 'path'>;
  query?: Part<Described<K>, 'query'>;
  body?: Body<Described<K>>;
  /** The tag of what is changed, as its GET has given it. */
  ifMatch?: string;
}

/** What an operation answers; `undefined` for one without a body. */
export type Output<K extends OperationKey> = Good<Described<K>>;

/**
 * A call of the API as a value. What a form shows as a command and what its button sends are the
 * same call.
 */
export interface Call<T = unknown> {
  readonly key: OperationKey;
  readonly method: Method;
  /** From {@link ROOT}, with its parameters filled in. */
  readonly path: string;
  readonly parameters: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string | string[]>>;
  readonly body: unknown;
  readonly ifMatch: string | undefined;
  /** Never set: carries the type of the answer. */
  readonly answer?: T;
}

export function call<K extends OperationKey>(key: K, input: Input<K> = {}): Call<Output<K>> {
  const [method, template] = key.split(' ') as [Method, string];
  const parameters: Record<string, string> = {};
  for (const [name, value] of Object.entries((input.path ?? {}) as Record<string, unknown>)) {
    parameters[name] = String(value);
  }
  const path = template.replace(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(parameters[name] ?? missing(key, name)),
  );
  const query: Record<string, string | string[]> = {};
  for (const [name, value] of Object.entries((input.query ?? {}) as Record<string, unknown>)) {
    if (value !== undefined && value !== null) {
      query[name] = Array.isArray(value) ? value.map(String) : String(value);
    }
  }
  return { key, method, path, parameters, query, body: input.body, ifMatch: input.ifMatch };
}

function missing(key: string, name: string): never {
  throw new Error(`expected a value of ${name} for ${key}`);
}

/** Path and query from the root of the server. */
export function urlOf(call: Call): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(call.query)) {
    for (const one of Array.isArray(value) ? value : [value]) {
      query.append(name, one);
    }
  }
  const text = query.toString();
  return ROOT + call.path + (text === '' ? '' : `?${text}`);
}
