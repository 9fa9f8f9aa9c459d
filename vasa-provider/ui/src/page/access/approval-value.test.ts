import { describe, expect, it } from 'vitest';
import { approvalValue, valueParts } from './approval-value';

const DAYS = { amount: '60', unit: 'day' } as const;
const NONE = { amount: '', unit: 'day' } as const;

describe('the value of a change', () => {
  it('is a time for a lock', () => {
    expect(approvalValue({ action: 'raise-max-lock', container: '', time: DAYS })).toBe('P60D');
    expect(approvalValue({ action: 'raise-max-lock', container: '', time: NONE })).toBeUndefined();
  });

  it('is a container and a time for a bin, or the default', () => {
    const hours = { amount: '12', unit: 'hour' } as const;
    expect(approvalValue({ action: 'lower-bin-time', container: 'c', time: hours })).toBe('c PT12H');
    expect(approvalValue({ action: 'lower-bin-time', container: 'c', time: NONE })).toBe('c default');
    expect(approvalValue({ action: 'lower-bin-time', container: '', time: hours })).toBeUndefined();
  });

  it('is no time that is no number', () => {
    const time = { amount: 'long', unit: 'day' } as const;
    expect(approvalValue({ action: 'lower-bin-time', container: 'c', time })).toBeUndefined();
  });

  it('comes apart again', () => {
    expect(valueParts('c PT12H')).toEqual({ container: 'c', time: 'PT12H' });
    expect(valueParts('P60D')).toEqual({ container: undefined, time: 'P60D' });
  });
});
