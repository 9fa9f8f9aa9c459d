import { describe, expect, it } from 'vitest';
import { de } from '../../text/de';
import { en } from '../../text/en';
import { Format } from '../../text/format';
import { ruleWords, tierWords, watchWords } from './rule-words';

const english = new Format({ language: 'en', zone: 'utc' });
const german = new Format({ language: 'de', zone: 'utc' });

describe('in words', () => {
  it.each([
    [
      { name: 'a', kind: 'every', interval: 'PT15M', keepCount: 8 },
      'Every 15 minutes, the newest 8 points are kept',
    ],
    [
      { name: 'a', kind: 'hourly', minute: 5, keepCount: 1 },
      'Each hour at minute 5, the newest point is kept',
    ],
    [
      { name: 'a', kind: 'daily', at: '02:00', zone: 'UTC', keepFor: 'P14D', lock: 'P7D' },
      'Each day at 02:00 (UTC), kept for 14 days, locked for 7 days',
    ],
    [
      { name: 'a', kind: 'weekly', days: ['thursday', 'monday'], at: '02:00', zone: 'UTC', keepCount: 5 },
      'Monday and Thursday at 02:00 (UTC), the newest 5 points are kept',
    ],
    [
      { name: 'a', kind: 'monthly', day: 'last', at: '03:00', zone: 'UTC', keepCount: 12, pattern: '{date}' },
      'On the last day of each month at 03:00 (UTC), the newest 12 points are kept, named {date}',
    ],
    [
      { name: 'a', kind: 'monthly', day: '5', months: ['july'], at: '03:00', zone: 'UTC', keepCount: 12 },
      'On day 5 of July at 03:00 (UTC), the newest 12 points are kept',
    ],
  ] as [Parameters<typeof ruleWords>[0], string][])('a rule %j', (rule, words) => {
    expect(ruleWords(rule, en, english)).toBe(words);
  });

  it('is German, too', () => {
    const rule = { name: 'a', kind: 'weekly', days: ['monday'], at: '02:00', zone: 'UTC', keepCount: 5 } as const;
    expect(ruleWords({ ...rule, days: ['monday'] }, de, german)).toBe(
      'Montag um 02:00 (UTC), die neuesten 5 Punkte bleiben',
    );
  });

  it('are tiers and the watch', () => {
    expect(tierWords({ every: 'PT5S', keepFor: 'PT1H' }, en, english)).toBe('Every 5 seconds, kept for 1 hour');
    expect(watchWords({ alert: true, lockSnapshotFor: null }, en, english)).toBe('An alert is raised.');
    expect(watchWords({ alert: false, lockSnapshotFor: 'P2D' }, en, english)).toBe(
      'No alert is raised. A point is taken at once and locked for 2 days.',
    );
  });
});
