import { describe, expect, it } from 'vitest';
import { exportOf, linesOf, spanOf, spanText, stepOf, timesLine, timesOf } from './runbook-lines';

describe('a line of a runbook', () => {
  it('is a step', () => {
    expect(stepOf('db, logs pause 1m30s')).toEqual({ groups: ['db', 'logs'], pause: 'PT1M30S' });
    expect(stepOf('web shop')).toEqual({ groups: ['web shop'] });
    expect(stepOf('db,')).toBeUndefined();
    expect(stepOf('db pause soon')).toBeUndefined();
  });

  it('is an export', () => {
    expect(exportOf('db to cluster lun 10')).toEqual({ group: 'db', hostGroup: 'cluster', lun: 10 });
    expect(exportOf('db to host web-1')).toEqual({ group: 'db', host: 'web-1' });
    expect(exportOf('db to cluster lun 16384')).toBeUndefined();
    expect(exportOf('db')).toBeUndefined();
  });

  it('is a schedule', () => {
    expect(timesOf('daily 2:00')).toEqual({ at: '02:00', zone: 'UTC', days: [] });
    expect(timesOf('weekly mon,Thursday 02:00 Europe/Berlin')).toEqual({
      at: '02:00',
      zone: 'Europe/Berlin',
      days: ['monday', 'thursday'],
    });
    expect(timesOf('weekly mo 02:00')).toBeUndefined();
    expect(timesOf('hourly')).toBeUndefined();
  });

  it('is shown as it is typed', () => {
    expect(timesLine({ at: '02:00', zone: 'UTC', days: [] })).toBe('daily 02:00 UTC');
    expect(timesLine({ at: '02:00', zone: 'UTC', days: ['monday'] })).toBe('weekly mon 02:00 UTC');
    expect(timesLine(null)).toBe('');
    expect(spanText('PT1H30M')).toBe('1h30m');
    expect(spanText(null)).toBe('');
    expect(spanOf('1h30m')).toBe('PT1H30M');
    expect(spanOf('')).toBeUndefined();
    expect(linesOf(' a \n\n b')).toEqual(['a', 'b']);
  });
});
