import type { components } from '../../generated/api';
import {
  exportOf,
  linesOf,
  spanOf,
  spanText,
  stepOf,
  timesLine,
  timesOf,
} from './runbook-lines';
import type { Names, Runbook } from './runbooks';

type Body = components['schemas']['NewRunbook'];
type Change = components['schemas']['RunbookChange'];

/** A runbook as it is typed: a part on each line, as the command line has it. */
export interface RunbookDraft {
  name: string;
  steps: string;
  exports: string;
  exportTests: string;
  schedule: string;
  holdFor: string;
  oldest: string;
}

/** The fields of a draft. */
export type Field = keyof RunbookDraft;

const NO_NAMES: Names = new Map();

/** The draft of a runbook that is there, with names where they are known; without one, an empty one. */
export function runbookDraft(runbook?: Runbook, names: Names = NO_NAMES): RunbookDraft {
  const name = (id: string | null) => names.get(id ?? '') ?? id ?? '';
  const steps = (runbook?.steps ?? []).map(({ groups, pause }) => {
    const after = pause === null || pause === 'PT0S' ? '' : ` pause ${spanText(pause)}`;
    return `${(groups ?? []).map(name).join(', ')}${after}`;
  });
  const exports = (all: Runbook['exports'] = []) =>
    all
      .map(({ group, hostGroup, host, lun }) => {
        const to = host === null ? name(hostGroup) : `host ${name(host)}`;
        return `${name(group)} to ${to}${lun === null ? '' : ` lun ${lun}`}`;
      })
      .join('\n');
  return {
    name: runbook?.name ?? '',
    steps: steps.join('\n'),
    exports: exports(runbook?.exports),
    exportTests: exports(runbook?.exportTests),
    schedule: timesLine(timesIn(runbook)),
    holdFor: spanText(runbook?.holdFor ?? 'PT10M'),
    oldest: spanText(runbook?.oldest),
  };
}

function timesIn(runbook: Runbook | undefined) {
  const times = runbook?.schedule ?? null;
  return times && { at: times.at ?? '', zone: times.zone ?? '', days: times.days ?? [] };
}

/** The fields in which something is typed that they do not take. */
export function wrongFields(draft: RunbookDraft): readonly Field[] {
  const wrong: Record<Field, boolean> = {
    name: false,
    steps: linesOf(draft.steps).some((line) => stepOf(line) === undefined),
    exports: linesOf(draft.exports).some((line) => exportOf(line) === undefined),
    exportTests: linesOf(draft.exportTests).some((line) => exportOf(line) === undefined),
    schedule: draft.schedule.trim() !== '' && timesOf(draft.schedule.trim()) === undefined,
    holdFor: spanOf(draft.holdFor.trim()) === undefined,
    oldest: draft.oldest.trim() !== '' && spanOf(draft.oldest.trim()) === undefined,
  };
  return (Object.keys(wrong) as Field[]).filter((field) => wrong[field]);
}

/** What is sent of a draft; absent while it is not whole. */
export function runbookBody(draft: RunbookDraft): Body | undefined {
  const steps = linesOf(draft.steps).flatMap((line) => stepOf(line) ?? []);
  if (draft.name.trim() === '' || steps.length === 0 || wrongFields(draft).length > 0) {
    return undefined;
  }
  const exports = linesOf(draft.exports).flatMap((line) => exportOf(line) ?? []);
  const exportTests = linesOf(draft.exportTests).flatMap((line) => exportOf(line) ?? []);
  const schedule = timesOf(draft.schedule.trim());
  const oldest = spanOf(draft.oldest.trim());
  return {
    name: draft.name,
    steps,
    ...(exports.length === 0 ? {} : { exports }),
    ...(exportTests.length === 0 ? {} : { exportTests }),
    ...(schedule === undefined ? {} : { schedule }),
    holdFor: spanOf(draft.holdFor.trim()) ?? '',
    ...(oldest === undefined ? {} : { oldest }),
  };
}

/** The fields of a draft that differ from those before; absent if there are none, or one is wrong. */
export function runbookChange(draft: RunbookDraft, before: RunbookDraft): Change | undefined {
  const wanted = runbookBody(draft);
  if (wanted === undefined) {
    return undefined;
  }
  const differs = (field: Field) => draft[field] !== before[field];
  const change: Change = {
    ...(differs('name') ? { name: wanted.name } : {}),
    ...(differs('steps') ? { steps: wanted.steps } : {}),
    ...(differs('exports') ? { exports: wanted.exports ?? [] } : {}),
    ...(differs('exportTests') ? { exportTests: wanted.exportTests ?? [] } : {}),
    ...(differs('schedule')
      ? wanted.schedule === undefined
        ? { scheduled: false }
        : { schedule: wanted.schedule }
      : {}),
    ...(differs('holdFor') ? { holdFor: wanted.holdFor ?? '' } : {}),
    ...(differs('oldest') ? { oldest: wanted.oldest ?? '' } : {}),
  };
  return Object.keys(change).length === 0 ? undefined : change;
}
