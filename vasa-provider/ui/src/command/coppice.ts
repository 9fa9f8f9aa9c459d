import type { Call } from '../api/call';
import { ADMINISTRATION } from './administration';
import { type Body, flag, flags, type Lines } from './flags';
import { word } from './shell';

/**
 * The lines of the command line, by operation: the noun and the verb, then the arguments from the path, the flags from
 * the body and those from the query. An operation that is not here has no button yet.
 */
const LINES: Lines = {
  ...ADMINISTRATION,
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
  'POST /vvols/{id}/snapshots': (call, body) => [
    'vvol',
    'snapshot',
    call.parameters.id!,
    String(body.name),
  ],
  'POST /vms/{id}/snapshots': (call, body) => [
    'vm',
    'snapshot',
    call.parameters.id!,
    String(body.name),
  ],
  'POST /snapshots/{id}/clone': (call, body) => [
    'snapshot',
    'clone',
    call.parameters.id!,
    String(body.name),
  ],
  'POST /snapshots/{id}/revert': (call) => ['snapshot', 'revert', call.parameters.id!],
  'DELETE /snapshots/{id}': (call) => ['snapshot', 'delete', call.parameters.id!],
  'POST /volumes/{id}/revert': (call, body) => atMoment('volume', 'revert', call, body),
  'POST /vms/{id}/revert': (call, body) => atMoment('vm', 'revert', call, body),
  'POST /volumes/{id}/clone': (call, body) => atMoment('volume', 'clone', call, body),
  'POST /vms/{id}/clone': (call, body) => atMoment('vm', 'clone', call, body),
  'PUT /vvols/{id}/limits': (call, body) => limits('vvol', call, body),
  'PUT /vms/{id}/limits': (call, body) => limits('vm', call, body),
  'POST /hosts': (_, body) => [
    'host',
    'create',
    String(body.name),
    ...flags('--initiator', body.initiators),
  ],
  // The secret is in a file: a command line is for everybody to read.
  'PUT /initiators/{name}/chap': (call) => [
    'initiator',
    'set-chap',
    call.parameters.name!,
    '--secret-file',
    'FILE',
  ],
  'POST /exports': (_, body) => [
    'export',
    'create',
    String(body.vvol),
    ...flags('--initiator', body.initiators),
    ...flags('--host', body.hosts),
    ...flags('--group', body.groups),
    ...flag('--lun', body.lun),
    ...(body.readOnly === true ? ['--read-only'] : []),
  ],
  'DELETE /exports/{vvol}': (call) => ['export', 'delete', call.parameters.vvol!],
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

function atMoment(noun: string, verb: string, call: Call, body: Body): string[] {
  const name = body.name === undefined ? [] : [String(body.name)];
  return [noun, verb, call.parameters.id!, ...name, ...flag('--moment', body.moment)];
}

function limits(noun: string, call: Call, body: Body): string[] {
  return [
    noun,
    'set-limits',
    call.parameters.id!,
    ...flag('--max-iops', body.maxIops),
    ...flag('--max-bandwidth', body.maxBandwidth),
    ...flag('--weight', body.weight),
  ];
}
