import { useMemo } from 'react';
import type { ChartData, ChartLine } from '../../kit/chart-drawing';
import type { LiveFigures } from '../../live/figures';
import { useFormat, useText } from '../../text/preferences';
import { FigureChart } from './figure-chart';
import type { LimitChange } from './limit-marks';
import { type Gauge, pointsOf } from './lines';
import { type Measure, measuresOf, nowOf, type Part, partsOf, type Side, time } from './measures';
import type { Named } from './names';
import type { Past } from './pasts';
import { type Shown, spanOf } from './shown-state';
import { WINDOWS, zoomOf } from './span';

const SIDES = ['both', 'read', 'write'] as const;

interface Props {
  named: readonly Named[];
  pasts: readonly Past[];
  live: ReadonlyMap<string, readonly LiveFigures[]>;
  changes: readonly LimitChange[];
  shown: Shown;
}

/**
 * Charts of what is measured. Of several objects each has a line. Of a single one reads and writes
 * have, and the latency is shown in its parts, too.
 */
export function SideBySide(props: Props) {
  const { named } = props;
  const only = named.length === 1 ? named[0] : undefined;
  return (
    <>
      <div className="c-cards" data-charts={named.length}>
        {only === undefined ? <Besides {...props} /> : <Apart {...props} only={only} />}
      </div>
      {only !== undefined && <Split {...props} only={only} />}
    </>
  );
}

/** A line for each object, of reads and writes together. */
function Besides(props: Props) {
  const text = useText();
  const measures = useMeasures();
  const frame = useFrame(props);
  return measures.map((measure) => (
    <FigureChart
      key={measure.key}
      title={text.performance.total(measure.title)}
      data={{
        ...frame.data,
        lines: props.named.map(({ key, name }) => frame.line(key, name, measure.of('both'))),
        shown: measure.shown,
      }}
      alt={frame.alt}
      zoom={frame.zoom}
    />
  ));
}

/** Reads and writes of one object apart. */
function Apart(props: Props & { only: Named }) {
  const { reads, writes } = useText().overview;
  const measures = useMeasures();
  const frame = useFrame(props);
  const { key } = props.only;
  const live = props.live.get(key);
  return measures.map((measure) => (
    <FigureChart
      key={measure.key}
      title={measure.title}
      data={{
        ...frame.data,
        lines: [
          frame.line(key, reads, measure.of('read')),
          frame.line(key, writes, measure.of('write')),
        ],
        shown: measure.shown,
      }}
      alt={frame.alt}
      zoom={frame.zoom}
      now={live && { name: measure.key, text: nowOf(measure, live.at(-1), { reads, writes }) }}
    />
  ));
}

/** The latency of one object in its parts: of both kinds together, of reads, and of writes. */
function Split(props: Props & { only: Named }) {
  const text = useText();
  const format = useFormat();
  const parts = useMemo(() => partsOf(text), [text]);
  const frame = useFrame(props);
  const { key } = props.only;
  const t = text.performance;
  const linesOf = (side: Side) =>
    parts.map(({ name, of }: Part) => frame.line(key, name, of(side)));
  return (
    <section aria-label={t.split}>
      <h3>{t.split}</h3>
      <div className="c-cards">
        {SIDES.map((side) => (
          <FigureChart
            key={side}
            title={`${text.overview.latency}: ${t.splitOf[side]}`}
            data={{
              ...frame.data,
              lines: linesOf(side),
              stacked: true,
              shown: (micros) => time(micros, format),
            }}
            alt={frame.alt}
            zoom={frame.zoom}
          />
        ))}
      </div>
    </section>
  );
}

function useMeasures(): readonly Measure[] {
  const text = useText();
  const format = useFormat();
  return useMemo(() => measuresOf(text, format), [text, format]);
}

/** What all charts have in common: their time, the marks, and a zoom that is that of all of them. */
function useFrame(props: Props) {
  const { named, pasts, live, changes, shown } = props;
  const text = useText();
  const format = useFormat();
  const span = spanOf(shown, newestOf(props));
  const isLong = span.to - span.from > WINDOWS['1d'];
  const data: Omit<ChartData, 'lines' | 'shown'> = {
    span,
    clock: (at) => (isLong ? format.day(at) : format.clock(at)),
    marks: changes
      .map(({ at }) => ({ at: Date.parse(at), label: text.performance.marked }))
      .filter(({ at }) => at >= span.from && at <= span.to),
  };
  return {
    data,
    alt: text.performance.alt(
      named.map(({ name }) => name).join(', '),
      format.time(span.from),
      format.time(span.to),
    ),
    zoom: (from: number, to: number) => shown.setZoom(zoomOf(from, to, span)),
    line: (key: string, name: string, gauge: Gauge): ChartLine => {
      const history = pasts.find((past) => past.key === key)?.history;
      return {
        name,
        points:
          history === undefined ? [] : pointsOf(history, live.get(key) ?? [], gauge, span.from),
      };
    },
  };
}

// By the clock of the server: that of the browser may be another one.
function newestOf({ pasts, live }: Props): number {
  const times = [
    ...[...live.values()].flatMap((figures) => figures.at(-1)?.at ?? []),
    ...pasts.flatMap(({ history }) => history?.to ?? []),
  ];
  return times.length === 0 ? Date.now() : Math.max(...times.map((at) => Date.parse(at)));
}
