import { expect, it } from 'vitest';
import { pageOf } from './orphan';

it('a volume has a page, a snapshot whose volume is gone has none', () => {
  expect(pageOf({ id: 'a', kind: 'volume' })).toBe('/volumes/a');
  expect(pageOf({ id: 'b', kind: 'vvol' })).toBe('/volumes/b');
  expect(pageOf({ id: 'c', kind: 'snapshot' })).toBeNull();
});
