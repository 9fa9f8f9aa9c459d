import { describe, expect, it } from 'vitest';
import type { ProtectionPolicy, Rule } from './protection';
import { newTier, protectionBody, protectionDraft } from './protection-draft';
import { newRule, ruleBody, type RuleDraft, ruleDraft, wrongOf } from './rule-draft';

const NOTHING: Rule = {
  name: null,
  kind: null,
  interval: null,
  minute: null,
  at: null,
  zone: null,
  days: null,
  day: null,
  months: null,
  keepCount: null,
  keepFor: null,
  lock: null,
  pattern: null,
};

const daily = { name: 'day', kind: 'daily', at: '02:00', zone: 'Europe/Berlin', keepFor: 'P14D', lock: 'P7D' } as const;

const policy: ProtectionPolicy = {
  id: '3f2b8c1e-5d47-4a0e-9b61-7c2d90e4f815',
  name: 'gold',
  description: '',
  generation: 1,
  rules: [{ ...NOTHING, ...daily }],
  continuous: [{ every: 'PT5S', keepFor: 'PT1H' }],
  watch: { alert: true, lockSnapshotFor: 'P2D' },
  author: 'anna',
  created: '2026-11-23T20:15:30.123456Z',
};

describe('a rule', () => {
  it.each([
    { name: 'often', kind: 'every', interval: 'PT15M', keepCount: 8 },
    { name: 'hour', kind: 'hourly', minute: 5, keepCount: 24 },
    daily,
    { name: 'week', kind: 'weekly', days: ['monday', 'friday'], at: '02:00', zone: 'UTC', keepCount: 8 },
    {
      name: 'month',
      kind: 'monthly',
      day: 'last',
      months: ['january', 'july'],
      at: '03:00',
      zone: 'UTC',
      keepCount: 12,
      pattern: '{policy} {date}',
    },
  ] as const)('of the kind $kind has the fields of its kind and no others', (rule) => {
    const read: Rule = { ...NOTHING, ...(rule as unknown as Partial<Rule>) };
    expect(ruleBody(ruleDraft(read))).toEqual(rule);
  });

  it('that becomes another kind loses the fields of the former one', () => {
    const draft: RuleDraft = { ...ruleDraft(daily), kind: 'hourly' };
    expect(ruleBody(draft)).toEqual({ name: 'day', kind: 'hourly', minute: 0, keepFor: 'P14D', lock: 'P7D' });
  });

  it.each([
    [{ name: 'a b' }, 'name'],
    [{ kind: 'every', interval: { amount: '', unit: 'minute' } }, 'interval'],
    [{ kind: 'hourly', minute: '60' }, 'minute'],
    [{ at: '24:00' }, 'at'],
    [{ kind: 'weekly', days: [] }, 'days'],
    [{ keep: 'count', keepCount: '0' }, 'keep'],
    [{ keep: 'time', keepFor: { amount: '', unit: 'day' } }, 'keep'],
    [{ lock: { amount: 'x', unit: 'day' } }, 'lock'],
  ] as [Partial<RuleDraft>, string][])('with %j is wrong in: %s', (change, wrong) => {
    const rule = { ...ruleDraft(daily), ...change };
    expect(wrongOf(rule)).toBe(wrong);
    expect(ruleBody(rule)).toBeUndefined();
  });

  it('that is new has a name that no other has, and the zone of the browser', () => {
    const first = newRule('daily', [], 'Europe/Berlin');
    const second = newRule('daily', [first], 'Europe/Berlin');
    expect([first.name, second.name]).toEqual(['daily', 'daily-2']);
    expect(ruleBody(second)).toEqual({
      name: 'daily-2',
      kind: 'daily',
      at: '02:00',
      zone: 'Europe/Berlin',
      keepCount: 14,
    });
  });
});

describe('the draft of a protection policy', () => {
  it('sends what was read', () => {
    expect(protectionBody(protectionDraft(policy))).toEqual({
      name: 'gold',
      rules: [daily],
      continuous: [{ every: 'PT5S', keepFor: 'PT1H' }],
      watch: { alert: true, lockSnapshotFor: 'P2D' },
    });
  });

  it('is not whole without a rule and a tier, nor with two rules of one name', () => {
    const draft = protectionDraft(policy);
    expect(protectionBody({ ...draft, rules: [], tiers: [] })).toBeUndefined();
    expect(protectionBody({ ...draft, rules: [ruleDraft(daily), ruleDraft(daily)] })).toBeUndefined();
    expect(protectionBody({ ...draft, tiers: [newTier('PT5S', null)] })).toBeUndefined();
  });

  it('may have continuous points alone, and the usual watch', () => {
    const draft = { ...protectionDraft(), name: 'quick', tiers: [newTier('PT5S', 'PT1H')] };
    expect(protectionBody(draft)).toEqual({
      name: 'quick',
      rules: [],
      continuous: [{ every: 'PT5S', keepFor: 'PT1H' }],
    });
  });
});
