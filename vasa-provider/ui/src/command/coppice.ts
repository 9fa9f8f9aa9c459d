import type { Call, OperationKey } from '../api/call';
import { word } from './shell';

type Body = Record<string, unknown>;

/**
 * The lines of the command line, by operation: the noun and the verb, then the arguments from the path, the flags from
 * the body and those from the query. An operation that is not here has no button yet.
 */
const LINES: Partial<Record<OperationKey, (call: Call, body: Body) => string[]>> = {
  'POST /volumes': (_, body) => [
    'volume',
    'create',
    String(body.name),
    ...flag('--source', body.source),
    ...flag('--size', body.size),
    ...flag('--container', body.container),
    ...flag('--policy', body.policy),
  ],
  'DELETE /volumes/{id}': (call) => [
    'volume',
    'delete',
    call.parameters.id!,
    ...(call.query.unexport === 'true' ? ['--unexport'] : []),
    ...(call.query.purge === 'true' ? ['--purge'] : []),
  ],
  'POST /bin/{id}/restore': (call, body) => [
    'bin',
    'restore',
    call.parameters.id!,
    ...flag('--name', body.name),
  ],
  'DELETE /bin/{id}': (call) => ['bin', 'purge', call.parameters.id!],
};

/** The call as a line of the command line. */
export function coppiceOf(call: Call): string | undefined {
  const words = LINES[call.key]?.(call, (call.body ?? {}) as Body);
  return words && ['./coppice', ...words.map(word)].join(' ');
}

function flag(name: string, value: unknown): string[] {
  return value === undefined || value === null ? [] : [name, String(value)];
}
