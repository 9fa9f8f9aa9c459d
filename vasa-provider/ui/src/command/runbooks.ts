import type { components } from '../generated/api';
import { type Body, flag, type Lines } from './flags';
import { short } from './rule-line';

type Step = components['schemas']['StepEntryRequest'];
type Export = components['schemas']['ExportEntryRequest'];
type Times = components['schemas']['TestTimesRequest'];

const LETTERS = 3;

/** The lines of runbooks. */
export const RUNBOOK_LINES: Lines = {
  'GET /replication/runbooks': () => ['runbook', 'list'],
  'POST /replication/runbooks': (_, body) => [
    'runbook',
    'create',
    String(body.name),
    ...plan(body),
  ],
  'GET /replication/runbooks/{id}': (call) => ['runbook', 'show', call.parameters.id!],
  'PATCH /replication/runbooks/{id}': (call, body) => [
    'runbook',
    'change',
    call.parameters.id!,
    ...flag('--name', body.name),
    ...plan(body),
  ],
  'DELETE /replication/runbooks/{id}': (call) => ['runbook', 'remove', call.parameters.id!],
  'POST /replication/runbooks/{id}/check': (call) => ['runbook', 'check', call.parameters.id!],
  'POST /replication/runbooks/{id}/run': (call, body) => [
    'runbook',
    'run',
    call.parameters.id!,
    ...(body.planned === true ? ['--planned'] : []),
    '--yes',
  ],
  'POST /replication/runbooks/{id}/test': (call) => ['runbook', 'test', call.parameters.id!],
  'DELETE /replication/runbooks/{id}/test': (call) => [
    'runbook',
    'end-test',
    call.parameters.id!,
  ],
  'GET /replication/runbooks/{id}/runs': (call) => ['runbook', 'runs', call.parameters.id!],
  'GET /replication/runbooks/{id}/runs/{run}': (call) => [
    'runbook',
    'report',
    call.parameters.id!,
    call.parameters.run!,
  ],
};

function plan(body: Body): string[] {
  const steps = (body.steps ?? []) as Step[];
  return [
    ...steps.flatMap(({ groups, pause }) => {
      const after = short(pause ?? undefined);
      return ['--step', `${groups.join(',')}${after === undefined ? '' : ` pause ${after}`}`];
    }),
    ...exports('--export', body.exports as Export[] | undefined),
    ...exports('--test-export', body.exportTests as Export[] | undefined),
    ...(body.scheduled === false ? ['--schedule', 'none'] : times(body.schedule as Times | undefined)),
    ...flag('--hold', short(body.holdFor as string | undefined)),
    ...(body.oldest === ''
      ? ['--oldest', 'none']
      : flag('--oldest', short(body.oldest as string | undefined))),
  ];
}

function exports(name: string, all: readonly Export[] | undefined): string[] {
  if (all === undefined) {
    return [];
  }
  return all.length === 0
    ? [name, 'none']
    : all.flatMap(({ group, hostGroup, host, lun }) => {
        const to = hostGroup ?? `host ${host ?? ''}`;
        return [name, `${group} to ${to}${lun === undefined || lun === null ? '' : ` lun ${lun}`}`];
      });
}

function times(wanted: Times | undefined): string[] {
  if (wanted === undefined) {
    return [];
  }
  const days = (wanted.days ?? []).map((day) => day.slice(0, LETTERS)).join(',');
  return [
    '--schedule',
    `${days === '' ? 'daily' : `weekly ${days}`} ${wanted.at} ${wanted.zone}`,
  ];
}
