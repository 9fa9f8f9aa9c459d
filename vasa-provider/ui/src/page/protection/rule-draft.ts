import type { components } from '../../generated/api';
import { isoOf, type Span, spanOf } from '../../text/duration';
import type { Rule } from './protection';

export type RuleBody = components['schemas']['PointRuleRequest'];
export type RuleKind = RuleBody['kind'];

export const KINDS: readonly RuleKind[] = ['every', 'hourly', 'daily', 'weekly', 'monthly'];

/** Days and months as REST names them, in order. */
export const DAYS = [
  'monday',
  'tuesday',
  'wednesday',
  'thursday',
  'friday',
  'saturday',
  'sunday',
] as const;
export const MONTHS = [
  'january',
  'february',
  'march',
  'april',
  'may',
  'june',
  'july',
  'august',
  'september',
  'october',
  'november',
  'december',
] as const;

export const LAST_DAY = 'last';

/** A rule as it is typed, with the fields of all kinds: one that becomes another kind keeps them. */
export interface RuleDraft {
  /** Of this form alone. */
  key: string;
  name: string;
  kind: RuleKind;
  interval: Span;
  minute: string;
  at: string;
  zone: string;
  days: readonly string[];
  day: string;
  months: readonly string[];
  keep: 'count' | 'time';
  keepCount: string;
  keepFor: Span;
  lock: Span;
  pattern: string;
}

/** Why a rule is not whole. */
export type RuleWrong = 'name' | 'interval' | 'minute' | 'at' | 'days' | 'keep' | 'lock';

/** What a new rule of each kind keeps. */
const KEPT: Record<RuleKind, string> = { every: '8', hourly: '24', daily: '14', weekly: '8', monthly: '12' };

/** A rule of a kind with usual values, by a name that no other of its policy has. */
export function newRule(kind: RuleKind, others: readonly RuleDraft[], zone: string): RuleDraft {
  return {
    ...ruleDraft({ name: freeName(kind, others), kind, keepCount: Number(KEPT[kind]) }),
    zone,
  };
}

function freeName(wanted: string, others: readonly RuleDraft[]): string {
  const taken = new Set(others.map(({ name }) => name));
  let name = wanted;
  for (let n = 2; taken.has(name); n++) {
    name = `${wanted}-${n}`;
  }
  return name;
}

/** The draft of a rule that is there. */
export function ruleDraft(rule: Partial<Rule>): RuleDraft {
  return {
    key: crypto.randomUUID(),
    name: rule.name ?? '',
    kind: rule.kind ?? 'daily',
    interval: spanOf(rule.interval ?? 'PT15M'),
    minute: String(rule.minute ?? 0),
    at: rule.at ?? '02:00',
    zone: rule.zone ?? 'UTC',
    days: rule.days ?? ['sunday'],
    day: rule.day ?? LAST_DAY,
    months: rule.months ?? [],
    keep: typeof rule.keepFor === 'string' ? 'time' : 'count',
    keepCount: String(rule.keepCount ?? KEPT[rule.kind ?? 'daily']),
    keepFor: spanOf(rule.keepFor),
    lock: spanOf(rule.lock),
    pattern: rule.pattern ?? '',
  };
}

/** What is wrong with a rule by itself; names have to differ, too. */
export function wrongOf(rule: RuleDraft): RuleWrong | undefined {
  if (!/^[A-Za-z0-9_-]{1,32}$/.test(rule.name)) {
    return 'name';
  }
  if (rule.kind === 'every' && typeof isoOf(rule.interval) !== 'string') {
    return 'interval';
  }
  if (rule.kind === 'hourly' && !/^[1-5]?\d$/.test(rule.minute)) {
    return 'minute';
  }
  if (isTimed(rule.kind) && !/^([01]\d|2[0-3]):[0-5]\d(:[0-5]\d)?$/.test(rule.at)) {
    return 'at';
  }
  if (rule.kind === 'weekly' && rule.days.length === 0) {
    return 'days';
  }
  const isKept =
    rule.keep === 'count'
      ? /^[1-9]\d{0,8}$/.test(rule.keepCount)
      : typeof isoOf(rule.keepFor) === 'string';
  if (!isKept) {
    return 'keep';
  }
  return isoOf(rule.lock) === undefined ? 'lock' : undefined;
}

/** Whether a kind is at a time of day in a zone. */
export function isTimed(kind: RuleKind): boolean {
  return kind === 'daily' || kind === 'weekly' || kind === 'monthly';
}

/** What is sent of a rule: the fields of its kind and no others; absent while it is not whole. */
export function ruleBody(rule: RuleDraft): RuleBody | undefined {
  if (wrongOf(rule) !== undefined) {
    return undefined;
  }
  const { name, kind, pattern } = rule;
  const lock = isoOf(rule.lock) ?? null;
  return {
    name,
    kind,
    ...timesOf(rule),
    ...(rule.keep === 'count'
      ? { keepCount: Number(rule.keepCount) }
      : { keepFor: isoOf(rule.keepFor) ?? null }),
    ...(lock === null ? {} : { lock }),
    ...(pattern.trim() === '' ? {} : { pattern }),
  };
}

function timesOf(rule: RuleDraft): Partial<RuleBody> {
  const { kind, at, zone, day } = rule;
  switch (kind) {
    case 'every':
      return { interval: isoOf(rule.interval) ?? null };
    case 'hourly':
      return { minute: Number(rule.minute) };
    case 'daily':
      return { at, zone };
    case 'weekly':
      return { at, zone, days: DAYS.filter((one) => rule.days.includes(one)) };
    case 'monthly':
      return {
        at,
        zone,
        day,
        ...(rule.months.length === 0
          ? {}
          : { months: MONTHS.filter((one) => rule.months.includes(one)) }),
      };
  }
}
