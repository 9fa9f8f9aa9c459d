import type { components } from '../generated/api';
import { type Body, flag, flags, type Lines } from './flags';
import { short, tierLine } from './rule-line';

type Tier = components['schemas']['ReplicaTierRequest'];
type Member = components['schemas']['GroupMemberRequest'];

/** The lines of peers and replication groups. */
export const REPLICATION: Lines = {
  'POST /replication/codes': () => ['peer', 'offer'],
  // The code is a secret as long as it serves.
  'POST /replication/peers': (_, body) => ['peer', 'add', String(body.address), '--code', 'CODE'],
  'GET /replication/peers': () => ['peer', 'list'],
  'GET /replication/peers/{id}': (call) => ['peer', 'show', call.parameters.id!],
  'PATCH /replication/peers/{id}': (call, body) => [
    'peer',
    'change',
    call.parameters.id!,
    ...flag('--address', body.address),
  ],
  'DELETE /replication/peers/{id}': (call) => ['peer', 'remove', call.parameters.id!],
  'POST /replication/groups': (_, body) => [
    'replication-group',
    'create',
    String(body.name),
    ...flag('--peer', body.peer),
    ...plan(body),
    ...(body.paused === true ? ['--paused'] : []),
  ],
  'GET /replication/groups': () => ['replication-group', 'list'],
  'GET /replication/groups/{id}': (call) => ['replication-group', 'show', call.parameters.id!],
  'PATCH /replication/groups/{id}': (call, body) => [
    'replication-group',
    'change',
    call.parameters.id!,
    ...flag('--name', body.name),
    ...flag('--peer', body.peer),
    ...plan(body),
    ...(typeof body.paused === 'boolean' ? ['--paused', body.paused ? 'yes' : 'no'] : []),
  ],
  'DELETE /replication/groups/{id}': (call) => ['replication-group', 'remove', call.parameters.id!],
  'GET /replication/groups/{id}/history': (call) => [
    'history',
    'replication-group',
    call.parameters.id!,
  ],
  'GET /replication/groups/{id}/replicas': (call) => [
    'replication-group',
    'replicas',
    call.parameters.id!,
  ],
  'POST /replication/groups/{id}/synchronize': (call, body) => [
    'replication-group',
    'sync',
    call.parameters.id!,
    ...flag('--name', body.name),
    ...flags('--tag', body.tags),
  ],
  'POST /replication/groups/{id}/prepare': (call) => [
    'replication-group',
    'prepare',
    call.parameters.id!,
  ],
  'POST /replication/groups/{id}/fail-over': (call, body) => [
    'replication-group',
    'fail-over',
    call.parameters.id!,
    ...flag('--replica', body.replica),
    ...(body.planned === true ? ['--planned'] : []),
    ...(body.checkOnly === true ? ['--check'] : []),
  ],
  'POST /replication/groups/{id}/test': (call, body) => [
    'replication-group',
    'test',
    call.parameters.id!,
    ...flag('--replica', body.replica),
    ...(body.checkOnly === true ? ['--check'] : []),
  ],
  'DELETE /replication/groups/{id}/test': (call) => [
    'replication-group',
    'end-test',
    call.parameters.id!,
  ],
  'POST /replication/groups/{id}/promote': (call) => [
    'replication-group',
    'promote',
    call.parameters.id!,
  ],
  'POST /replication/groups/{id}/reverse': (call) => [
    'replication-group',
    'reverse',
    call.parameters.id!,
  ],
};

function plan(body: Body): string[] {
  const members = (body.members ?? []) as Member[];
  const keep = body.keep as Tier[] | undefined;
  return [
    ...flag('--every', short(body.interval as string | undefined)),
    ...flag('--rpo', short(body.rpo as string | undefined)),
    ...members.flatMap(({ vm, volume }) => [...flag('--vm', vm), ...flag('--volume', volume)]),
    ...(keep === undefined ? [] : ['--keep', tierLine(keep)]),
    ...flag('--container', body.container),
  ];
}
