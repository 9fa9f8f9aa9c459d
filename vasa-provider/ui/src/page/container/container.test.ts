import { describe, expect, it } from 'vitest';
import { holds } from './container';

describe('a container', () => {
  it.each([
    [{ vvols: 2, reclaimable: 4096 }, 'volumes'],
    [{ vvols: 0, reclaimable: 4096 }, 'bin'],
    [{ vvols: 0, reclaimable: 0 }, 'nothing'],
  ])('with %j holds what keeps it: %s', (container, what) => {
    expect(holds(container)).toBe(what);
  });
});
