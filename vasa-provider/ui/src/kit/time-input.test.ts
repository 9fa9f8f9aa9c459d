import { describe, expect, it } from 'vitest';
import { inputOf, instantOf } from './time-input';

describe('a field of date and time', () => {
  it('has the minute of an instant', () => {
    expect(inputOf('2026-11-20T10:05:59.123456Z', 'utc')).toBe('2026-11-20T10:05');
  });

  it.each(['utc', 'local'] as const)('gives the instant back: %s', (zone) => {
    const instant = '2026-07-01T22:30:00.000Z';
    expect(instantOf(inputOf(instant, zone), zone)).toBe(instant);
  });

  it.each(['', 'soon'])('is empty for what is no time: %j', (text) => {
    expect(inputOf(text, 'utc')).toBe('');
    expect(instantOf(text, 'utc')).toBe('');
  });
});
