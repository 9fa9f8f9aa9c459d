import { describe, expect, it } from 'vitest';
import { de } from '../../text/de';
import { en } from '../../text/en';
import { Format } from '../../text/format';
import { ageOf, lagStateOf, lagStatus, lossSentence, shortTime } from './lag';

const format = new Format({ language: 'en', zone: 'utc' });
const german = new Format({ language: 'de', zone: 'utc' });
const NEWEST = '2026-11-29T14:03:21Z';
const group = { newest: NEWEST, lag: 'PT12S' };

describe('a short time', () => {
  it.each([
    ['PT0S', '0 s'],
    ['PT12S', '12 s'],
    ['PT75S', '1 min 15 s'],
    ['PT3H5M7S', '3 h 5 min'],
    ['P2DT1S', '2 d 1 s'],
    ['soon', 'soon'],
  ])('of %s', (iso, text) => {
    expect(shortTime(iso, format)).toBe(text);
  });
});

describe('the verdict on a lag', () => {
  it('has its colour', () => {
    expect(lagStatus('ok')).toBe('success');
    expect(lagStatus('late')).toBe('warning');
    expect(lagStatus('missed')).toBe('danger');
  });

  it('is none if this page does not know it', () => {
    expect(lagStateOf('late')).toBe('late');
    expect(lagStateOf('lost')).toBeUndefined();
    expect(lagStateOf(null)).toBeUndefined();
  });
});

describe('the age of a replica', () => {
  it('is by the clock of the provider', () => {
    expect(ageOf(NEWEST, group)).toBe(12);
    expect(ageOf('2026-11-29T13:03:21Z', group)).toBe(3612);
    expect(ageOf('2026-11-29T14:13:21Z', group)).toBe(0);
  });

  it('is not known without a newest one, or with a time that is none', () => {
    expect(ageOf(NEWEST, { newest: null, lag: null })).toBeUndefined();
    expect(ageOf('soon', group)).toBeUndefined();
  });
});

describe('the sentence of loss', () => {
  const clock = format.clock(NEWEST);

  it('is about the newest replica', () => {
    expect(lossSentence(NEWEST, group, en, format)).toBe(
      `Writes of the last 12 s are lost: the newest replica is of ${clock}.`,
    );
    expect(lossSentence(NEWEST, group, de, german)).toBe(
      'Was in den letzten 12 s geschrieben wurde, ist verloren: Das neueste Replikat ist von 14:03:21.',
    );
  });

  it('is about an older one', () => {
    expect(lossSentence('2026-11-29T13:03:21Z', group, en, format)).toBe(
      `Writes of the last 1 h 12 s are lost: the chosen replica is of ${format.clock('2026-11-29T13:03:21Z')}.`,
    );
  });

  it('has the day of one that is older than a day', () => {
    const old = '2026-11-20T14:03:21Z';
    expect(lossSentence(old, group, en, format)).toBe(
      `Writes of the last 9 d 12 s are lost: the chosen replica is of ${format.time(old)}.`,
    );
  });

  it('is none without a replica', () => {
    expect(lossSentence(undefined, group, en, format)).toBeUndefined();
    expect(lossSentence(NEWEST, { newest: null, lag: null }, en, format)).toBeUndefined();
  });
});
