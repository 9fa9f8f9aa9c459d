import { describe, expect, it } from 'vitest';
import { exactSize, Format, parseSize } from './format';

describe('figures', () => {
  it.each([
    [0, '0 B'],
    [1023, '1,023 B'],
    [1024, '1 KiB'],
    [1536, '1.5 KiB'],
    [1024 ** 3 * 100, '100 GiB'],
    [1024 ** 4 * 1.234, '1.23 TiB'],
    [Number.MAX_SAFE_INTEGER, '8 PiB'],
  ])('%d bytes are %s', (bytes, text) => {
    expect(new Format({ language: 'en', zone: 'utc' }).bytes(bytes)).toBe(text);
  });

  it.each([
    [0, '0 s'],
    [0.0000123, '12.3 µs'],
    [0.0015, '1.5 ms'],
    [2, '2 s'],
  ])('%d seconds are %s', (seconds, text) => {
    expect(new Format({ language: 'en', zone: 'utc' }).seconds(seconds)).toBe(text);
  });

  it('speak the language that is preferred', () => {
    expect(new Format({ language: 'de', zone: 'utc' }).bytes(1536)).toBe('1,5 KiB');
  });

  it('show days without their year', () => {
    expect(new Format({ language: 'de', zone: 'utc' }).day('2026-11-23T20:15:30.1Z')).toMatch(
      /^23\. Nov.* 20:15$/,
    );
  });

  it('show times in the zone that is preferred', () => {
    expect(new Format({ language: 'de', zone: 'utc' }).time('2026-11-23T20:15:30.1Z')).toBe(
      '23.11.2026, 20:15:30',
    );
  });
});

describe('a size', () => {
  it.each([
    ['10 GiB', 10 * 1024 ** 3],
    ['10g', 10 * 1024 ** 3],
    ['1.5 TB', 1_500_000_002_048],
    ['1,5MiB', 1.5 * 1024 ** 2],
    ['1', 4096],
    ['4096', 4096],
  ])('%s is understood', (text, bytes) => {
    expect(parseSize(text)).toBe(bytes);
  });

  it.each(['', 'ten', '-1 GiB', '1 XB', '0', '1e3', '9999999999999 TiB', '1 GiB 2'])(
    '"%s" is none',
    (text) => {
      expect(parseSize(text)).toBeUndefined();
    },
  );
});

describe('an exact size', () => {
  it.each([
    [4096, '4 KiB'],
    [10 * 1024 ** 3, '10 GiB'],
    [1536 * 1024 ** 2, '1536 MiB'],
    [1_073_745_920, '1048580 KiB'],
  ])('of %s bytes is understood again', (bytes, text) => {
    expect(exactSize(bytes)).toBe(text);
    expect(parseSize(text)).toBe(bytes);
  });
});

describe('a length of time', () => {
  it('is said in the language that is preferred', () => {
    expect(new Format({ language: 'en', zone: 'utc' }).duration('P7D')).toBe('7 days');
    expect(new Format({ language: 'en', zone: 'utc' }).duration('PT90M')).toBe('1 hour 30 minutes');
    expect(new Format({ language: 'de', zone: 'utc' }).duration('PT15M')).toBe('15 Minuten');
  });

  it('has names of days and months', () => {
    const format = new Format({ language: 'en', zone: 'local' });
    expect([format.weekday(0), format.weekday(6)]).toEqual(['Monday', 'Sunday']);
    expect([format.month(0), format.month(11)]).toEqual(['January', 'December']);
    expect(format.list(['a', 'b', 'c'])).toBe('a, b, and c');
  });
});
