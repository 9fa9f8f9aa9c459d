import { describe, expect, it } from 'vitest';
import type { AlertView, AuditedCall, Entry, Job, Occurrence } from './entry';
import { type Filter, isWanted, kindsOf } from './filter';
import { headOf, joined, rowOf, statusOf, textOf } from './happening';

const AT = '2026-11-20T10:00:00Z';

function event(id: number, traceId: string | null, of: Partial<Occurrence> = {}): Entry {
  const base: Occurrence = {
    id,
    at: AT,
    sentence: `Event ${id}.`,
    actor: { kind: 'rest', name: 'anna' },
    type: 'Config',
    change: 'New',
    objectType: 'Volume',
    objectId: `object-${id}`,
    message: 'VolumeNew',
    parameters: {},
    vvols: [],
    traceId,
  };
  return { kind: 'event', at: AT, event: { ...base, ...of } };
}

function audit(seq: number, traceId: string | null, of: Partial<AuditedCall> = {}): Entry {
  const base: AuditedCall = {
    seq,
    at: AT,
    channel: 'rest',
    actor: { account: 'anna', token: null, certificate: null, address: null },
    action: 'POST /volumes',
    object: null,
    outcome: 'done',
    code: null,
    traceId,
    asked: [],
    changes: [],
    before: [],
    after: [],
    previous: '',
    hash: '',
  };
  return { kind: 'audit', at: AT, audited: { ...base, ...of } };
}

function job(of: Partial<Job>): Entry {
  const base: Job = {
    id: 'revert:1',
    name: 'revert',
    state: 'running',
    progress: 10,
    vvol: null,
    created: AT,
    finished: null,
    result: null,
    error: null,
  };
  return { kind: 'job', at: AT, job: { ...base, ...of } };
}

function alert(of: Partial<AlertView>): Entry {
  const base: AlertView = {
    id: 'a-1',
    severity: 'warning',
    state: 'active',
    about: { kind: 'container', id: 'c-1', name: 'gold', container: 'c-1' },
    message: 'ContainerSpace',
    cause: 'It is full.',
    effect: 'Writes fail.',
    remedy: 'Delete something.',
    since: AT,
    resolved: null,
    acknowledgement: null,
    mutedUntil: null,
  };
  return { kind: 'alert', at: AT, alert: { ...base, ...of } };
}

const ALL: Filter = { kind: '', severity: '', actor: '', object: '', since: '', until: '' };

describe('entries', () => {
  it('of one call are one row, at the place of the newest', () => {
    const rows = joined([audit(2, 't-1'), event(8, 't-2'), event(7, 't-1'), event(6, null), event(5, null)]);
    expect(rows.map((row) => row.entries.length)).toEqual([2, 1, 1, 1]);
    expect(rows[0]!.key).toBe('audit:2');
    expect(headOf(rows[0]!)).toEqual(event(7, 't-1'));
    expect(rowOf(rows, 'event:7')).toBe(rows[0]);
    expect(rowOf(rows, 'event:99')).toBeUndefined();
  });

  it('stand out by the worst of a row', () => {
    const status = (...entries: Entry[]) => statusOf({ key: '', at: AT, entries });
    expect(status(event(1, 't'), audit(1, 't', { outcome: 'refused' }))).toBe('warning');
    expect(status(audit(1, 't', { outcome: 'failed' }))).toBe('danger');
    expect(status(audit(1, 't'))).toBeUndefined();
    expect(status(job({ state: 'error' }))).toBe('danger');
    expect(status(job({}))).toBeUndefined();
    expect(status(alert({}))).toBe('warning');
    expect(status(alert({ severity: 'critical' }))).toBe('danger');
    expect(status(alert({ severity: 'critical', state: 'resolved' }))).toBe('success');
  });

  it('are found by all that their row says', () => {
    const text = textOf({ key: '', at: AT, entries: [event(1, 't-1', { vvols: ['v-1'] }), audit(1, 't-1')] });
    for (const part of ['Event 1.', 'anna', 't-1', 'v-1', 'object-1', 'POST /volumes: done']) {
      expect(text).toContain(part);
    }
  });
});

describe('a filter', () => {
  it('asks only lists that can have what is wanted', () => {
    expect(kindsOf(ALL)).toEqual(['alert', 'job', 'event', 'audit']);
    expect(kindsOf({ ...ALL, severity: 'critical' })).toEqual(['alert']);
    expect(kindsOf({ ...ALL, severity: 'nonsense' })).toHaveLength(4);
    expect(kindsOf({ ...ALL, actor: 'anna' })).toEqual(['event', 'audit']);
    expect(kindsOf({ ...ALL, actor: 'anna', kind: 'job' })).toEqual([]);
  });

  it('wants an object and a time', () => {
    expect(isWanted(job({ vvol: 'v-1' }), { ...ALL, object: 'v-1' })).toBe(true);
    expect(isWanted(job({}), { ...ALL, object: 'v-1' })).toBe(false);
    expect(isWanted(alert({}), { ...ALL, object: 'c-1' })).toBe(true);
    expect(isWanted(job({}), { ...ALL, since: AT, until: '2026-11-20T10:00:01Z' })).toBe(true);
    expect(isWanted(job({}), { ...ALL, until: AT })).toBe(false);
    expect(isWanted(job({}), { ...ALL, since: '2026-11-20T10:00:00.001Z' })).toBe(false);
  });
});
