import { describe, expect, it } from 'vitest';
import { fieldOf, parseSpan, spanOfFields, spanText, zoomOf } from './span';

const at = (time: string) => Date.parse(`2026-11-28T${time}Z`);
const shown = { from: at('10:00:00'), to: at('11:00:00') };

describe('a span', () => {
  it('is an interval in the address', () => {
    expect(spanText(shown)).toBe('2026-11-28T10:00:00Z/2026-11-28T11:00:00Z');
    expect(parseSpan(spanText(shown))).toEqual(shown);
  });

  it.each(['', '1h', 'a/b', '2026-11-28T11:00:00Z/2026-11-28T10:00:00Z', '2024-01-01/2026-01-01', '1/2/3'])(
    'is not: %j',
    (text) => expect(parseSpan(text)).toBeUndefined(),
  );
});

describe('a zoom', () => {
  it('has whole seconds', () => {
    expect(zoomOf(at('10:10:00') + 0.4, at('10:20:00') + 0.6, shown)).toEqual({
      from: at('10:10:00'),
      to: at('10:20:00'),
    });
  });

  it('is a minute at least', () => {
    expect(zoomOf(at('10:10:00'), at('10:10:10'), shown)).toEqual({
      from: at('10:09:35'),
      to: at('10:10:35'),
    });
  });

  it('stays within what is shown', () => {
    expect(zoomOf(at('09:00:00'), at('10:30:00'), shown)).toEqual({
      from: shown.from,
      to: at('10:30:00'),
    });
  });

  it('is never empty', () => {
    const { from, to } = zoomOf(at('12:00:00'), at('12:30:00'), shown);
    expect(from).toBeLessThan(to);
  });
});

describe('fields of a date and a time', () => {
  it('hold UTC where that is preferred', () => {
    expect(fieldOf(shown.from, true)).toBe('2026-11-28T10:00');
    expect(spanOfFields('2026-11-28T10:00', '2026-11-28T11:00', true, shown.to)).toEqual(shown);
  });

  it('hold the time of the browser otherwise', () => {
    const from = fieldOf(shown.from, false);
    expect(spanOfFields(from, fieldOf(shown.to, false), false, shown.to)).toEqual(shown);
  });

  it('are no span if they are empty, turned round, or to come', () => {
    expect(spanOfFields('', '2026-11-28T11:00', true, shown.to)).toBeUndefined();
    expect(spanOfFields('2026-11-28T11:00', '2026-11-28T10:00', true, shown.to)).toBeUndefined();
    expect(spanOfFields('2026-11-28T12:00', '2026-11-28T13:00', true, shown.to)).toBeUndefined();
  });
});
