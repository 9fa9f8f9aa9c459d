import type { components } from '../../generated/api';
import type { Text } from '../../text/en';
import type { Format } from '../../text/format';
import type { Rule, Tier } from './protection';
import { DAYS, LAST_DAY, MONTHS } from './rule-draft';

type AnyRule = Rule | components['schemas']['PointRuleRequest'];
type AnyTier = Tier | components['schemas']['ContinuousTierRequest'];
type Watch = components['schemas']['PolicyWatch'];

/** A rule in words: when it wants a point, how long it keeps its points, and whether it locks them. */
export function ruleWords(rule: AnyRule, text: Text, format: Format): string {
  const { words } = text.protection;
  const { keepCount, keepFor, lock, pattern } = rule;
  return [
    whenWords(rule, text, format),
    isThere(keepCount) ? words.keepCount(keepCount) : undefined,
    isThere(keepFor) ? words.keepFor(format.duration(keepFor)) : undefined,
    isThere(lock) ? words.lock(format.duration(lock)) : undefined,
    isThere(pattern) ? words.pattern(pattern) : undefined,
  ]
    .filter(isThere)
    .join(', ');
}

function whenWords(rule: AnyRule, text: Text, format: Format): string {
  const { words } = text.protection;
  const at = rule.at ?? '';
  const zone = rule.zone ?? '';
  switch (rule.kind) {
    case 'every':
      return words.every(format.duration(rule.interval ?? ''));
    case 'hourly':
      return words.hourly(rule.minute ?? 0);
    case 'weekly':
      return words.weekly(format.list(dayNames(rule.days ?? [], format)), at, zone);
    case 'monthly':
      return monthWords(rule, text, format);
    default:
      return words.daily(at, zone);
  }
}

function monthWords(rule: AnyRule, text: Text, format: Format): string {
  const { words } = text.protection;
  const day = isThere(rule.day) && rule.day !== LAST_DAY ? words.day(rule.day) : words.lastDay;
  const at = rule.at ?? '';
  const zone = rule.zone ?? '';
  return isThere(rule.months)
    ? words.inMonths(day, format.list(monthNames(rule.months, format)), at, zone)
    : words.monthly(day, at, zone);
}

function dayNames(days: readonly string[], format: Format): string[] {
  return DAYS.flatMap((day, i) => (days.includes(day) ? [format.weekday(i)] : []));
}

function monthNames(months: readonly string[], format: Format): string[] {
  return MONTHS.flatMap((month, i) => (months.includes(month) ? [format.month(i)] : []));
}

/** A tier of continuous points in words. */
export function tierWords({ every, keepFor }: AnyTier, text: Text, format: Format): string {
  return text.protection.words.tier(format.duration(every ?? ''), format.duration(keepFor ?? ''));
}

/** What is done when a volume is suspected, in words. */
export function watchWords({ alert, lockSnapshotFor }: Watch, text: Text, format: Format): string {
  const { words } = text.protection;
  const alarm = alert === false ? words.noAlert : words.alert;
  return lockSnapshotFor === null
    ? alarm
    : `${alarm} ${words.watchLock(format.duration(lockSnapshotFor))}`;
}

function isThere<T>(value: T | null | undefined): value is T {
  return value !== null && value !== undefined;
}
