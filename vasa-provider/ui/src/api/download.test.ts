import { expect, it } from 'vitest';
import { nameIn } from './download';

it('the name of a file is the one that the server gives it', () => {
  expect(nameIn('attachment; filename="coppice-support-20261128T141500Z.zip"')).toBe(
    'coppice-support-20261128T141500Z.zip',
  );
  expect(nameIn('attachment')).toBeUndefined();
  expect(nameIn(null)).toBeUndefined();
});
