import type { Call } from '../api/call';
import { type Body, flag, flags, type Lines, onOff } from './flags';

/** The lines of alerts, the target, the array, accounts, tokens and approvals. */
export const ADMINISTRATION: Lines = {
  'POST /alerts/{id}/acknowledge': (call, body) => [
    'alert',
    'acknowledge',
    call.parameters.id!,
    ...flag('--note', body.note),
  ],
  'POST /alerts/{id}/mute': (call, body) => [
    'alert',
    'mute',
    call.parameters.id!,
    ...flag('--until', body.until),
  ],
  'POST /alerts/{id}/unmute': (call) => ['alert', 'unmute', call.parameters.id!],
  'POST /alert-targets': (_, body) => [
    'alert-target',
    'create',
    String(body.name),
    ...flag('--kind', body.kind),
    ...target(body),
  ],
  'PATCH /alert-targets/{id}': (call, body) => [
    'alert-target',
    'change',
    call.parameters.id!,
    ...flag('--name', body.name),
    ...target(body),
  ],
  'DELETE /alert-targets/{id}': (call) => ['alert-target', 'delete', call.parameters.id!],
  'POST /protocol-endpoints': () => ['endpoint', 'add'],
  'POST /protocol-endpoints/{lun}/retire': (call) => ['endpoint', 'retire', call.parameters.lun!],
  'POST /protocol-endpoints/{lun}/restore': (call) => ['endpoint', 'restore', call.parameters.lun!],
  'DELETE /protocol-endpoints/{lun}': (call) => ['endpoint', 'delete', call.parameters.lun!],
  'POST /scrub/start': () => ['scrub', 'start'],
  'POST /scrub/pause': () => ['scrub', 'pause'],
  'POST /scrub/resume': () => ['scrub', 'resume'],
  'POST /iscsi/portals/{number}/drain': (call) => ['iscsi', 'drain', call.parameters.number!],
  'POST /iscsi/portals/{number}/undrain': (call) => ['iscsi', 'undrain', call.parameters.number!],
  'GET /space/reclaimable': (call) => [
    'space',
    'reclaim',
    String(call.query.bytes),
    ...(call.query.volumes === 'true' ? ['--volumes'] : []),
  ],
  'PATCH /locks': (_, body) => ['lock', 'lower', ...flag('--max', body.maxLock)],
  'POST /accounts': (_, body) => [
    'account',
    'create',
    String(body.name),
    ...flag('--role', body.role),
    ...flags('--container', body.containers),
  ],
  'PATCH /accounts/{id}': account,
  'DELETE /accounts/{id}': (call) => ['account', 'delete', call.parameters.id!],
  'DELETE /sessions/{id}': (call) => ['session', 'end', call.parameters.id!],
  'POST /tokens': (_, body) => [
    'token',
    'create',
    String(body.name),
    ...flag('--role', body.role),
    ...flags('--container', body.containers),
    ...flag('--days', body.expiresInDays),
  ],
  'POST /tokens/{id}/rotate': (call, body) => [
    'token',
    'rotate',
    call.parameters.id!,
    ...flag('--days', body.expiresInDays),
    ...flag('--grace-minutes', body.graceMinutes),
  ],
  'DELETE /tokens/{id}': (call) => ['token', 'delete', call.parameters.id!],
  'POST /approvals': (_, body) => ['approval', 'ask', String(body.action), String(body.value)],
  'POST /approvals/{id}/approve': (call) => ['approval', 'approve', call.parameters.id!],
  'POST /approvals/{id}/refuse': (call) => ['approval', 'refuse', call.parameters.id!],
  'DELETE /initiators/{name}/chap': (call) => ['initiator', 'clear-chap', call.parameters.name!],
};

/** What is secret is in a file, and so is the URL of a webhook: a command line is for everybody to read. */
function target(body: Body): string[] {
  return [
    ...onOff('--enabled', body.enabled),
    ...flag('--severity', body.severity),
    ...(body.url === undefined ? [] : ['--url-file', 'FILE']),
    ...flag('--server', body.server),
    ...flag('--security', body.security),
    ...flag('--user', body.user),
    ...flag('--from', body.from),
    ...flags('--to', body.to),
    ...(body.ca === undefined ? [] : ['--ca-file', 'FILE']),
    ...(body.secret === undefined ? [] : ['--secret-file', 'FILE']),
  ];
}

function account(call: Call, body: Body): string[] {
  const id = call.parameters.id!;
  return body.password === undefined
    ? [
        'account',
        'set',
        id,
        ...flag('--role', body.role),
        ...flags('--container', body.containers),
        ...onOff('--enabled', body.enabled),
      ]
    : ['account', 'set-password', id];
}
