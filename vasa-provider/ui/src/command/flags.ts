import type { Call, OperationKey } from '../api/call';

export type Body = Record<string, unknown>;

/** Lines of the command line, by operation. */
export type Lines = Partial<Record<OperationKey, (call: Call, body: Body) => string[] | undefined>>;

/** A flag with its value; nothing without one. */
export function flag(name: string, value: unknown): string[] {
  return value === undefined || value === null ? [] : [name, String(value)];
}

/** A flag that is repeated for each value. */
export function flags(name: string, values: unknown): string[] {
  return Array.isArray(values) ? values.flatMap((value) => flag(name, value)) : [];
}

/** A flag that is on or off; nothing if it is to stay. */
export function onOff(name: string, value: unknown): string[] {
  return typeof value === 'boolean' ? [name, value ? 'on' : 'off'] : [];
}
