import { describe, expect, it } from 'vitest';
import { isCode, tagsOf } from './pairing';

describe('a pairing code', () => {
  it('may have blanks, dashes and small letters', () => {
    expect(isCode('0A1B2-C3D4E-5F6G7-H8J9K')).toBe(true);
    expect(isCode(' 0a1b2 c3d4e 5f6g7 h8j9k ')).toBe(true);
  });

  it.each(['', '0A1B2', '0A1B2-C3D4E-5F6G7-H8J9K-1', '0A1B2-C3D4E-5F6G7-H8J9!'])('is not: %j', (text) => {
    expect(isCode(text)).toBe(false);
  });
});

describe('tags', () => {
  it('stand between commas, each once', () => {
    expect(tagsOf(' nightly, ,before the update,nightly')).toEqual(['nightly', 'before the update']);
    expect(tagsOf('')).toEqual([]);
  });
});
