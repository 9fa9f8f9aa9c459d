import type { Call, OperationKey } from '../api/call';
import type { components } from '../generated/api';
import { ADMINISTRATION } from './administration';
import { type Body, flag, flags, type Lines } from './flags';
import { REPLICATION } from './replication';
import { ruleLine, short, tierLine } from './rule-line';
import { RUNBOOK_LINES } from './runbooks';
import { word } from './shell';

type NewProtection = components['schemas']['NewProtectionPolicy'];

/**
 * The lines of the command line, by operation: the noun and the verb, then the arguments from the path, the flags from
 * the body and those from the query. An operation that is not here has no button yet.
 */
const LINES: Lines = {
  ...ADMINISTRATION,
  ...REPLICATION,
  ...RUNBOOK_LINES,
  'POST /volumes': (_, body) => [
    'volume',
    'create',
    String(body.name),
    ...flag('--source', body.source),
    ...flag('--size', body.size),
    ...flag('--container', body.container),
    ...flag('--policy', body.policy),
  ],
  'PATCH /volumes/{id}': (call, body) => [
    'volume',
    'update',
    call.parameters.id!,
    ...flag('--size', body.size),
    ...flag('--name', body.name),
    ...flag('--policy', body.policy),
    ...labels(body.labels),
  ],
  'POST /policies/{id}/apply': (call) => [
    'policy',
    'reapply',
    call.parameters.id!,
    ...flag('--generation', call.query.generation),
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
  'POST /snapshots/{id}/lock': (call, body) => [
    'snapshot',
    'lock',
    call.parameters.id!,
    ...flag('--for', body.lockFor),
  ],
  'DELETE /snapshots/{id}': (call) => ['snapshot', 'delete', call.parameters.id!],
  'POST /volumes/{id}/revert': (call, body) => atMoment('volume', 'revert', call, body),
  'POST /vms/{id}/revert': (call, body) => [
    ...atMoment('vm', 'revert', call, body),
    ...flag('--snapshot', body.snapshot),
  ],
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
  'POST /containers': (_, body) => [
    'container',
    'create',
    String(body.name),
    ...flag('--quota', body.quota),
    ...flag('--bin-time', body.binTime),
  ],
  'PATCH /containers/{id}': (call, body) => [
    'container',
    'change',
    call.parameters.id!,
    ...flag('--name', body.name),
    ...flag('--quota', body.quota),
    ...flag('--bin-time', body.binTime),
  ],
  'DELETE /containers/{id}': (call) => ['container', 'delete', call.parameters.id!],
  'PUT /containers/{id}/registrations': (call, body) => [
    'container',
    'offer',
    call.parameters.id!,
    ...(body.registrations as string[]),
  ],
  'DELETE /containers/{id}/registrations': (call) => ['container', 'offer-all', call.parameters.id!],
  'PUT /containers/{id}/default-policies/{type}': (call, body) => [
    'container',
    'set-default',
    call.parameters.id!,
    call.parameters.type!,
    String(body.policy),
  ],
  'DELETE /containers/{id}/default-policies/{type}': (call) => [
    'container',
    'clear-default',
    call.parameters.id!,
    call.parameters.type!,
  ],
  'POST /approvals': (_, body) => ['approval', 'ask', String(body.action), String(body.value)],
  'POST /policies': () => ['policy', 'apply', '--file', '-'],
  'DELETE /policies/{id}': (call) => ['policy', 'delete', call.parameters.id!],
  'POST /protection-policies': (_, body) => createProtection(body as unknown as NewProtection),
  'PUT /protection-policies/{id}': (call, body) =>
    changeProtection(call, body as unknown as NewProtection),
  'DELETE /protection-policies/{id}': (call) => [
    'protection-policy',
    'delete',
    call.parameters.id!,
  ],
  'POST /protection-groups': (_, body) => [
    'protection-group',
    'create',
    String(body.name),
    ...groupFlags(body),
  ],
  'PATCH /protection-groups/{id}': (call, body) => [
    'protection-group',
    'change',
    call.parameters.id!,
    ...flag('--name', body.name),
    ...groupFlags(body),
  ],
  'DELETE /protection-groups/{id}': (call) => [
    'protection-group',
    'delete',
    call.parameters.id!,
    ...flag('--points', call.query.points),
  ],
  'POST /protection-groups/{id}/points': (call, body) => [
    'protection-group',
    'take',
    call.parameters.id!,
    String(body.name),
  ],
  'POST /recovery-points/{id}/lock': (call, body) => [
    'recovery-point',
    'lock',
    call.parameters.id!,
    ...flag('--for', body.lockFor),
    ...flag('--until', body.until),
  ],
  'DELETE /recovery-points/{id}': (call) => [
    'recovery-point',
    'delete',
    call.parameters.id!,
    ...(call.query.purge === 'true' ? ['--purge'] : []),
  ],
  'POST /temporary-exports': (_, body) => [
    'temporary-export',
    'create',
    ...flag('--point', body.point),
    ...flags('--snapshot', body.snapshots),
    ...flags('--initiator', body.initiators),
    ...flags('--host', body.hosts),
    ...flags('--group', body.groups),
    ...(body.writable === true ? ['--writable'] : []),
    ...flag('--keep', body.keepFor),
  ],
  'PATCH /schedules/{vvol}': (call, body) => [
    'schedule',
    'change',
    call.parameters.vvol!,
    ...onOff('--enabled', body.enabled),
    ...onOff('--retention', body.retentionEnabled),
  ],
};

/** Operations whose line takes the body from its input. */
const INPUTS: ReadonlySet<OperationKey> = new Set(['POST /policies']);

/** The call as a line of the command line. */
export function coppiceOf(call: Call): string | undefined {
  const words = LINES[call.key]?.(call, (call.body ?? {}) as Body);
  const input = INPUTS.has(call.key) ? ` <<< ${word(JSON.stringify(call.body))}` : '';
  return words && ['./coppice', ...words.map(word)].join(' ') + input;
}

/** The flags that set labels, and those that take them away. */
function labels(change: unknown): string[] {
  return Object.entries((change ?? {}) as Record<string, string | null>).flatMap(([key, value]) =>
    value === null ? flag('--remove-label', key) : flag('--label', `${key}=${value}`),
  );
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

function onOff(name: string, value: unknown): string[] {
  return typeof value === 'boolean' ? [name, value ? 'on' : 'off'] : [];
}

function groupFlags(body: Body): string[] {
  const members = (body.members ?? []) as { vm?: string | null; volume?: string | null }[];
  return [
    ...flag('--policy', body.policy),
    ...members.flatMap(({ vm, volume }) => [...flag('--vm', vm), ...flag('--volume', volume)]),
  ];
}

function createProtection(body: NewProtection): string[] {
  const { name, description, rules, continuous, watch } = body;
  return [
    'protection-policy',
    'create',
    name,
    ...flag('--description', description),
    ...flags('--rule', rules.map(ruleLine)),
    ...(continuous === undefined || continuous === null
      ? []
      : ['--continuous', tierLine(continuous)]),
    ...(watch?.alert === false ? ['--watch-alert', 'no'] : []),
    ...flag('--watch-lock', short(watch?.lockSnapshotFor)),
  ];
}

/** All of it is said, since the command line leaves what is not said as it is. It cannot take all rules away. */
function changeProtection(call: Call, body: NewProtection): string[] | undefined {
  const { name, description, rules, continuous, watch } = body;
  return rules.length === 0
    ? undefined
    : [
        'protection-policy',
        'change',
        call.parameters.id!,
        '--name',
        name,
        '--description',
        description ?? '',
        ...flags('--rule', rules.map(ruleLine)),
        '--continuous',
        tierLine(continuous ?? []),
        '--watch-alert',
        watch?.alert === false ? 'no' : 'yes',
        '--watch-lock',
        short(watch?.lockSnapshotFor) ?? 'none',
      ];
}
