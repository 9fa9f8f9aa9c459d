import type { ReactNode } from 'react';

/** A fact: what it is of, and its value. */
export type Fact = readonly [string, ReactNode];

/** The facts that have a value. */
export function given(facts: readonly Fact[]): readonly Fact[] {
  return facts.filter(
    ([, value]) => value !== undefined && value !== null && value !== false && value !== '',
  );
}
