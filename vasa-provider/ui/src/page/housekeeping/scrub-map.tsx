import { ExpandableSection, Skeleton } from '@patternfly/react-core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../../api/call';
import { send } from '../../api/send';
import { Figure } from '../../kit/figure';
import { ProblemAlert } from '../../kit/problem-alert';
import { useFormat, useText } from '../../text/preferences';
import { type CellState, countOf, runsOf, type ScrubCell, type ScrubMap, STATES } from './scrub-runs';

const COLUMNS = 32;

/** What stands in a cell of a state, so that it is known without its colour. */
const SIGNS: Partial<Record<CellState, string>> = {
  damaged: 'M0.2 0.2L0.8 0.8M0.8 0.2L0.2 0.8',
  running: 'M0.3 0.2L0.75 0.5L0.3 0.8Z',
  earlier: 'M0.2 0.5H0.8',
};

/** The pool from its first zone to its last: what is verified, and where damage is. */
export function PoolMap() {
  const text = useText();
  const t = text.housekeeping.damage;
  const map = useQuery({
    queryKey: ['scrub', 'map'],
    refetchOnMount: 'always',
    queryFn: ({ signal }) => send(call('GET /scrub/map'), signal),
  });
  const { data } = map;
  return (
    <>
      <h3>{t.map}</h3>
      {map.isError && <ProblemAlert error={map.error} retry={() => void map.refetch()} />}
      {data !== undefined
        ? <Drawn map={data} />
        : !map.isError && <Skeleton screenreaderText={text.common.loading} />}
    </>
  );
}

function Drawn({ map }: { map: ScrubMap }) {
  const text = useText();
  const format = useFormat();
  const t = text.housekeeping.damage;
  const { cells } = map;
  const rows = Math.ceil(cells.length / COLUMNS);
  const counted = STATES.map((state) => ({ state, count: countOf(cells, state) }));
  const present = counted.filter(({ count }) => count > 0);
  const cellBytes = (map.zones * map.zoneBytes) / cells.length;
  return (
    <>
      <svg
        className="c-pool"
        role="img"
        aria-label={present
          .map(({ state, count }) => `${t.states[state]}: ${format.number(count)}`)
          .join(', ')}
        viewBox={`0 0 ${COLUMNS} ${rows}`}
      >
        {cells.map(({ state, findings }, i) => (
          <CellShape
            key={i}
            state={state}
            x={i % COLUMNS}
            y={Math.floor(i / COLUMNS)}
            title={findings === 0 ? undefined : t.findingsIn(format.number(findings))}
          />
        ))}
      </svg>
      <ul className="c-legend" aria-label={t.legend}>
        {counted.map(({ state, count }) => (
          <li key={state}>
            <svg viewBox="0 0 1 1" aria-hidden="true">
              <CellShape state={state} x={0} y={0} />
            </svg>
            {t.states[state]}: {format.number(count)}
          </li>
        ))}
      </ul>
      <p className="c-quiet">{t.cellHelp(format.bytes(cellBytes))}</p>
      {map.unplaced > 0 && (
        <p>
          {t.unplaced}:{' '}
          <Figure of="/scrub/map" at="/unplaced" value={map.unplaced} unit="count" />
        </p>
      )}
      <RunTable cells={cells} />
    </>
  );
}

function CellShape(props: { state: CellState; x: number; y: number; title?: string | undefined }) {
  const { state, x, y, title } = props;
  const sign = SIGNS[state];
  return (
    <g className={`c-zone c-zone-${state}`} data-state={state} transform={`translate(${x} ${y})`}>
      {title !== undefined && <title>{title}</title>}
      <rect x={0.1} y={0.1} width={0.8} height={0.8} />
      {sign !== undefined && <path d={sign} />}
    </g>
  );
}

/** The map as a table, for those who cannot see it. It is filled when it is opened. */
function RunTable({ cells }: { cells: readonly ScrubCell[] }) {
  const text = useText();
  const format = useFormat();
  const t = text.housekeeping.damage;
  const [open, setOpen] = useState(false);
  return (
    <ExpandableSection
      toggleText={text.overview.asTable}
      isExpanded={open}
      onToggle={(_, opened) => setOpen(opened)}
    >
      {open && (
        <div className="c-scroll" role="region" aria-label={t.map} tabIndex={0}>
          <table className="c-figures">
            <thead>
              <tr>
                <th scope="col">{t.cells}</th>
                <th scope="col">{t.state}</th>
                <th scope="col">{t.findings}</th>
              </tr>
            </thead>
            <tbody>
              {runsOf(cells).map(({ first, last, state, findings }) => (
                <tr key={first}>
                  <th scope="row">
                    {first === last
                      ? format.number(first)
                      : `${format.number(first)} – ${format.number(last)}`}
                  </th>
                  <td>{t.states[state]}</td>
                  <td>{format.number(findings)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </ExpandableSection>
  );
}
