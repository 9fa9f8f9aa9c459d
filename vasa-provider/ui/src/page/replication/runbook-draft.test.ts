import { describe, expect, it } from 'vitest';
import { runbookBody, runbookChange, runbookDraft, wrongFields } from './runbook-draft';
import type { Runbook } from './runbooks';

const RUNBOOK: Runbook = {
  id: 'r',
  name: 'lost',
  steps: [
    { groups: ['g1', 'g2'], pause: 'PT30S' },
    { groups: ['g3'], pause: 'PT0S' },
  ],
  exports: [{ group: 'g1', hostGroup: 'h1', host: null, lun: 10 }],
  exportTests: [{ group: 'g1', hostGroup: null, host: 'h2', lun: null }],
  schedule: { at: '02:00', zone: 'UTC', days: [] },
  holdFor: 'PT10M',
  oldest: null,
  next: null,
  tested: null,
  testState: null,
  testSentence: null,
  goesOn: null,
};

describe('the draft of a runbook', () => {
  it('has names where they are known', () => {
    const draft = runbookDraft(RUNBOOK, new Map([['g1', 'db'], ['h2', 'sandbox']]));
    expect(draft).toEqual({
      name: 'lost',
      steps: 'db, g2 pause 30s\ng3',
      exports: 'db to h1 lun 10',
      exportTests: 'db to host sandbox',
      schedule: 'daily 02:00 UTC',
      holdFor: '10m',
      oldest: '',
    });
    expect(runbookBody(draft)?.steps).toEqual([
      { groups: ['db', 'g2'], pause: 'PT30S' },
      { groups: ['g3'] },
    ]);
  });

  it('says what is wrong', () => {
    const draft = { ...runbookDraft(RUNBOOK), schedule: 'soon', exports: 'db', holdFor: '' };
    expect(wrongFields(draft)).toEqual(['exports', 'schedule', 'holdFor']);
    expect(runbookBody(draft)).toBeUndefined();
    expect(runbookBody(runbookDraft())).toBeUndefined();
  });

  it('sends what has changed', () => {
    const before = runbookDraft(RUNBOOK);
    expect(runbookChange(before, before)).toBeUndefined();
    expect(
      runbookChange({ ...before, schedule: ' ', exports: '', oldest: '15m', holdFor: '0s' }, before),
    ).toEqual({ scheduled: false, exports: [], oldest: 'PT15M', holdFor: 'PT0S' });
  });
});
