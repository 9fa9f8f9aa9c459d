import { describe, expect, it } from 'vitest';
import { call } from '../api/call';
import { coppiceOf } from './coppice';
import { ruleLine, tierLine } from './rule-line';

const ID = '3f2b8c1e-5d47-4a0e-9b61-7c2d90e4f815';

describe('a rule on one line', () => {
  it.each([
    [{ name: 'every', kind: 'every', interval: 'PT15M', keepCount: 8 } as const, 'every 15m keep 8'],
    [{ name: 'hour', kind: 'hourly', minute: 0, keepCount: 24 } as const, 'hour=hourly 0 keep 24'],
    [
      {
        name: 'daily',
        kind: 'daily',
        at: '02:00',
        zone: 'Europe/Berlin',
        keepFor: 'P14D',
        lock: 'P7D',
        pattern: '{policy} {date}',
      } as const,
      'daily 02:00 Europe/Berlin keep 14d lock 7d named {policy} {date}',
    ],
    [
      { name: 'weekly', kind: 'weekly', days: ['monday', 'thursday'], at: '02:00', zone: 'UTC', keepCount: 5 },
      'weekly mon,thu 02:00 UTC keep 5',
    ],
    [
      { name: 'monthly', kind: 'monthly', day: 'last', months: ['january'], at: '03:00', zone: 'UTC', keepCount: 12 },
      'monthly last 03:00 UTC jan keep 12',
    ],
  ] as [Parameters<typeof ruleLine>[0], string][])('%j', (rule, line) => {
    expect(ruleLine(rule)).toBe(line);
  });

  it('has tiers, too', () => {
    expect(tierLine([{ every: 'PT5S', keepFor: 'PT1H' }, { every: 'PT1M', keepFor: 'P1D' }])).toBe(
      '5s for 1h, 1m for 1d',
    );
    expect(tierLine([])).toBe('none');
  });
});

describe('a call about protection', () => {
  const rule = { name: 'daily', kind: 'daily', at: '02:00', zone: 'UTC', keepCount: 7 } as const;

  it('has its line of the command line', () => {
    expect(
      coppiceOf(call('POST /protection-policies', { body: { name: 'gold', rules: [rule] } })),
    ).toBe("./coppice protection-policy create gold --rule 'daily 02:00 UTC keep 7'");
    expect(
      coppiceOf(
        call('PUT /protection-policies/{id}', {
          path: { id: ID },
          body: { name: 'gold', generation: 2, rules: [rule], watch: { alert: false } },
        }),
      ),
    ).toBe(
      `./coppice protection-policy change ${ID} --name gold --description '' --rule 'daily 02:00 UTC keep 7' --continuous none --watch-alert no --watch-lock none`,
    );
  });

  it('has none if the command line cannot say it', () => {
    const body = { name: 'gold', generation: 2, rules: [], continuous: [{ every: 'PT5S', keepFor: 'PT1H' }] };
    expect(
      coppiceOf(call('PUT /protection-policies/{id}', { path: { id: ID }, body })),
    ).toBeUndefined();
  });
});

describe('a call about a storage policy', () => {
  it('gives its fields to the input', () => {
    expect(coppiceOf(call('POST /policies', { body: { name: "o'hara", maxIops: 500 } }))).toBe(
      `./coppice policy apply --file - <<< '{"name":"o'\\''hara","maxIops":500}'`,
    );
  });
});
