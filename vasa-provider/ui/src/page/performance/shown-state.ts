import { useMemo } from 'react';
import { useSearchParams } from 'react-router';
import { type LoadObject, parseObjects, SYSTEM, textOf } from './load-object';
import { parseSpan, type Span, spanText, WINDOW_NAMES, type WindowName, WINDOWS } from './span';

const USUAL: WindowName = '15m';

/** The names in the address that say what the charts show. */
export const SHOWN_NAMES = ['objects', 'window', 'zoom'] as const;

/** What the charts show: which objects, and of which time. The address has it. */
export interface Shown {
  objects: readonly LoadObject[];
  setObjects: (objects: readonly LoadObject[]) => void;
  /** A length of time that ends now; absent if a span was chosen. */
  window: WindowName | undefined;
  setWindow: (window: WindowName | Span) => void;
  /** What of it is looked at closer; absent: all. */
  zoom: Span | undefined;
  setZoom: (zoom: Span | undefined) => void;
  /** What the charts reach over if that does not move with the time. */
  fixed: Span | undefined;
}

/** What the charts show, as the address says. */
export function useShown(): Shown {
  const [search, setSearch] = useSearchParams();
  const objectsText = search.get('objects') ?? textOf([SYSTEM]);
  const windowText = search.get('window') ?? USUAL;
  const zoomText = search.get('zoom') ?? '';
  const read = useMemo(() => {
    const chosen = parseSpan(windowText);
    const zoom = parseSpan(zoomText);
    return {
      objects: parseObjects(objectsText),
      window:
        chosen === undefined ? (WINDOW_NAMES.find((name) => name === windowText) ?? USUAL) : undefined,
      zoom,
      fixed: zoom ?? chosen,
    };
  }, [objectsText, windowText, zoomText]);

  function change(values: Record<string, string | undefined>, replace: boolean): void {
    setSearch(
      (before) => {
        const next = new URLSearchParams(before);
        for (const [name, value] of Object.entries(values)) {
          if (value === undefined) {
            next.delete(name);
          } else {
            next.set(name, value);
          }
        }
        return next;
      },
      { replace },
    );
  }

  return {
    ...read,
    setObjects: (objects) => change({ objects: textOf(objects) }, true),
    setWindow: (window) =>
      change({ window: typeof window === 'string' ? window : spanText(window), zoom: undefined }, true),
    // The browser goes back from a zoom.
    setZoom: (zoom) => change({ zoom: zoom && spanText(zoom) }, false),
  };
}

/** What the charts reach over right now. */
export function spanOf({ fixed, window }: Pick<Shown, 'fixed' | 'window'>, now: number): Span {
  return fixed ?? { from: now - WINDOWS[window ?? USUAL], to: now };
}
