import { useEffect, useRef } from 'react';
import { preferences } from '../text/preferences';
import type { ChartData } from './chart-drawing';
import { useDrag } from './drag';

interface Props {
  data: ChartData;
  label: string;
  /** Called with the times between which somebody has dragged, in milliseconds; none: nobody can. */
  zoom?: ((from: number, to: number) => void) | undefined;
}

/** A chart over time. What draws it is loaded when the first one is seen. */
export function Chart({ data, label, zoom }: Props) {
  const place = useRef<HTMLDivElement>(null);
  const drawing = useRef<Promise<import('./chart-drawing').Drawing>>(null);
  const drag = useDrag(
    zoom &&
      ((from, to) => void drawing.current?.then((it) => zoom(it.timeAt(from), it.timeAt(to)))),
  );

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

  return (
    <div className={zoom === undefined ? undefined : 'c-zoomed'} {...drag.handlers}>
      <div ref={place} className="c-chart" role="img" aria-label={label} />
      {drag.over !== undefined && <div className="c-dragged" style={drag.over} />}
    </div>
  );
}
