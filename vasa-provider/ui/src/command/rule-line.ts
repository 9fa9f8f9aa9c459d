import type { components } from '../generated/api';

type Rule = components['schemas']['PointRuleRequest'];

/** A tier of continuous points, or of replicas. */
interface Tier {
  every?: string | null;
  keepFor?: string | null;
}

const SHORT = 3;

/** A rule of protection on one line, as `--rule` of the command line takes it. */
export function ruleLine(rule: Rule): string {
  const words = [
    rule.kind,
    short(rule.interval),
    rule.minute,
    shortened(rule.days),
    rule.day,
    rule.at,
    rule.zone,
    shortened(rule.months),
    'keep',
    rule.keepCount,
    short(rule.keepFor),
    ...part('lock', short(rule.lock)),
    ...part('named', rule.pattern),
  ];
  const line = words.filter((word) => word !== null && word !== undefined).join(' ');
  return rule.name === rule.kind ? line : `${rule.name}=${line}`;
}

/** Tiers on one line, as `--continuous` and `--keep` take them. */
export function tierLine(tiers: readonly Tier[]): string {
  return tiers.length === 0
    ? 'none'
    : tiers.map(({ every, keepFor }) => `${short(every)} for ${short(keepFor)}`).join(', ');
}

/** An ISO 8601 length of time as people write it: `PT15M` as `15m`, and `P14D` as `14d`. */
export function short(iso: string | null | undefined): string | undefined {
  return iso?.replace(/^P/, '').replace('T', '').toLowerCase();
}

function part(word: string, value: string | null | undefined): string[] {
  return value === null || value === undefined ? [] : [word, value];
}

function shortened(names: readonly string[] | null | undefined): string | undefined {
  return names?.map((name) => name.slice(0, SHORT)).join(',');
}
