import { useEffect, useMemo, useSyncExternalStore } from 'react';
import type { components } from '../generated/api';

export type LiveFigures = components['schemas']['LiveFigures'];

/** Of what figures can be asked for: `system`, `vm:ID` or `volume:ID`. */
export type Subject = 'system' | `vm:${string}` | `volume:${string}`;

const KEPT = 450; // a quarter of an hour, one each 2 s
const GATHERED_MILLIS = 50;
const NONE: readonly LiveFigures[] = [];

interface Followed {
  users: number;
  /** The newest last. */
  figures: readonly LiveFigures[];
}

const followed = new Map<string, Followed>();
const watchers = new Set<() => void>();
let tell: (subjects: readonly string[]) => void = () => undefined;
let timer: ReturnType<typeof setTimeout> | undefined;
let telling: ReturnType<typeof setTimeout> | undefined;
/** How often figures have come. */
let taken = 0;

/** Has the stream follow what components ask for. */
export function follow(ask: (subjects: readonly string[]) => void): void {
  tell = ask;
  tell([...followed.keys()]);
}

/** Takes figures that the stream has sent. */
export function takeFigures(figures: LiveFigures): void {
  const one = followed.get(figures.of);
  if (one !== undefined) {
    one.figures = [...one.figures.slice(1 - KEPT), figures];
    tellWatchers();
  }
}

// Figures of many objects come at once: one change.
function tellWatchers(): void {
  telling ??= setTimeout(() => {
    telling = undefined;
    taken++;
    watchers.forEach((watcher) => watcher());
  }, GATHERED_MILLIS);
}

/** The figures of an object since somebody looks at it, the newest last. */
export function useFigures(subject: Subject): readonly LiveFigures[] {
  return useFiguresOf([subject])[0] ?? NONE;
}

/** The figures of some objects, in their order. A subject that does not exist would end the stream of all. */
export function useFiguresOf(subjects: readonly Subject[]): readonly (readonly LiveFigures[])[] {
  const key = subjects.join('/'); // which is in no id
  useEffect(() => {
    subjects.forEach(begin);
    return () => subjects.forEach(end);
  }, [key]);
  const now = useSyncExternalStore(watch, () => taken);
  return useMemo(
    () => subjects.map((subject) => followed.get(subject)?.figures ?? NONE),
    [key, now],
  );
}

function begin(subject: Subject): void {
  const known = followed.get(subject);
  followed.set(subject, { users: (known?.users ?? 0) + 1, figures: known?.figures ?? NONE });
  changed();
}

function end(subject: Subject): void {
  const one = followed.get(subject);
  if (one !== undefined && --one.users === 0) {
    followed.delete(subject);
    changed();
  }
}

function watch(watcher: () => void): () => void {
  watchers.add(watcher);
  return () => watchers.delete(watcher);
}

// A page that takes the place of another one asks for other figures within a moment: one change.
function changed(): void {
  clearTimeout(timer);
  timer = setTimeout(() => tell([...followed.keys()]), GATHERED_MILLIS);
}
