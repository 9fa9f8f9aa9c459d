import { describe, expect, it } from 'vitest';
import { parseCount } from './count';

describe('a whole number within bounds', () => {
  it.each([
    ['1', 1],
    [' 3650 ', 3650],
  ])('is %j', (text, value) => {
    expect(parseCount(text, 1, 3650)).toBe(value);
  });

  it.each(['', '0', '3651', '-1', '1.5', '1e3', 'many'])('is not %j', (text) => {
    expect(parseCount(text, 1, 3650)).toBeUndefined();
  });
});
