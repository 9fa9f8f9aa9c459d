import { useMemo } from 'react';
import { Store, useStore } from '../api/store';
import { de } from './de';
import { en, type Text } from './en';
import { Format } from './format';

const LANGUAGES = { en, de } as const;

export type Language = keyof typeof LANGUAGES;
export type Theme = 'system' | 'light' | 'dark';
export type Zone = 'local' | 'utc';

export interface Preferences {
  language: Language;
  theme: Theme;
  zone: Zone;
}

const KEY = 'coppice.preferences';
const DARK = window.matchMedia('(prefers-color-scheme: dark)');

export const preferences = new Store<Preferences>(stored());

function stored(): Preferences {
  const usual: Preferences = {
    language: navigator.language.startsWith('de') ? 'de' : 'en',
    theme: 'system',
    zone: 'local',
  };
  try {
    return { ...usual, ...(JSON.parse(localStorage.getItem(KEY) ?? '{}') as Partial<Preferences>) };
  } catch {
    return usual; // somebody else wrote it, or storage is refused
  }
}

export function prefer(change: Partial<Preferences>): void {
  preferences.set({ ...preferences.get(), ...change });
  try {
    localStorage.setItem(KEY, JSON.stringify(preferences.get()));
  } catch {
    // They hold for this page alone.
  }
}

export function useText(): Text {
  return LANGUAGES[useStore(preferences).language] ?? en;
}

export function useFormat(): Format {
  const preferred = useStore(preferences);
  return useMemo(() => new Format(preferred), [preferred]);
}

export function isDark(): boolean {
  const { theme } = preferences.get();
  return theme === 'dark' || (theme === 'system' && DARK.matches);
}

/** Keeps the document's language and theme as they are preferred. */
export function applyPreferences(): void {
  const apply = () => {
    document.documentElement.lang = preferences.get().language;
    document.documentElement.classList.toggle('pf-v6-theme-dark', isDark());
  };
  preferences.watch(apply);
  DARK.addEventListener('change', () => {
    apply();
    preferences.set({ ...preferences.get() });
  });
  apply();
}
