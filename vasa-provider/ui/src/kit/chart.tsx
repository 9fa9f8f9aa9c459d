import { useEffect, useRef } from 'react';
import { preferences } from '../text/preferences';
import type { ChartData } from './chart-drawing';

/** A chart over time. What draws it is loaded when the first one is seen. */
export function Chart({ data, label }: { data: ChartData; label: string }) {
  const place = useRef<HTMLDivElement>(null);
  const drawing = useRef<Promise<import('./chart-drawing').Drawing>>(null);

  useEffect(() => {
    const element = place.current!;
    const begun = import('./chart-drawing').then(({ Drawing }) => new Drawing(element));
    drawing.current = begun;
    const resized = new ResizeObserver(() => void begun.then((it) => it.resize()));
    resized.observe(element);
    const unwatch = preferences.watch(() => void begun.then((it) => it.restyle()));
    return () => {
      unwatch();
      resized.disconnect();
      void begun.then((it) => it.end());
    };
  }, []);

  useEffect(() => void drawing.current?.then((it) => it.show(data)), [data]);

  return <div ref={place} className="c-chart" role="img" aria-label={label} />;
}
