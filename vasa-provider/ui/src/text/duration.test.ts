import { describe, expect, it } from 'vitest';
import { isoOf, partsOf, secondsOf, spanOf } from './duration';

describe('a length of time', () => {
  it.each([
    ['PT15M', 900],
    ['P7D', 604_800],
    ['PT1H30M', 5_400],
    ['P1DT12H', 129_600],
    ['PT0S', 0],
    ['PT1.5S', 1],
  ])('%s has its seconds', (iso, seconds) => {
    expect(secondsOf(iso)).toBe(seconds);
  });

  it.each(['', 'P', 'PT', '15m', 'P1Y', 'P1DT'])('is not "%s"', (text) => {
    expect(secondsOf(text)).toBeUndefined();
    expect(partsOf(text)).toBeUndefined();
  });

  it('has parts, the largest first', () => {
    expect(partsOf('PT90M')).toEqual([
      [1, 'hour'],
      [30, 'minute'],
    ]);
    expect(partsOf('PT0S')).toEqual([[0, 'second']]);
  });

  it.each([
    ['PT48H', '2', 'day'],
    ['PT90M', '90', 'minute'],
    ['PT3600S', '1', 'hour'],
    ['PT0S', '0', 'second'],
    [null, '', 'day'],
  ])('%s is typed as %s %s', (iso, amount, unit) => {
    expect(spanOf(iso)).toEqual({ amount, unit });
  });
});

describe('what was typed', () => {
  it.each([
    ['7', 'day', 'P7D'],
    [' 15 ', 'minute', 'PT15M'],
    ['05', 'second', 'PT5S'],
    ['48', 'hour', 'PT48H'],
  ] as const)('%s %s is a length of time', (amount, unit, iso) => {
    expect(isoOf({ amount, unit })).toBe(iso);
  });

  it('may be nothing', () => {
    expect(isoOf({ amount: ' ', unit: 'day' })).toBeNull();
  });

  it.each(['-1', '1.5', 'x', '12345678'])('is none: %s', (amount) => {
    expect(isoOf({ amount, unit: 'day' })).toBeUndefined();
  });
});
