import type { ChartData } from '../../kit/chart-drawing';
import { useText } from '../../text/preferences';
import { rowsOf } from './lines';

const MOST_ROWS = 500;

/** The points of a chart as a table. */
export function PointTable({ title, data }: { title: string; data: ChartData }) {
  const text = useText();
  const rows = rowsOf(data.lines);
  return (
    <>
      {rows.length > MOST_ROWS && (
        <p className="c-quiet">{text.performance.cut(MOST_ROWS, rows.length)}</p>
      )}
      <div
        className="c-scroll"
        role="region"
        aria-label={text.performance.tableOf(title)}
        tabIndex={0}
      >
        <table className="c-figures">
          <thead>
            <tr>
              <th scope="col">{text.overview.time}</th>
              {data.lines.map((line) => (
                <th key={line.name} scope="col">
                  {line.name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.slice(-MOST_ROWS).map(({ at, values }) => (
              <tr key={at}>
                <th scope="row">{data.clock(at)}</th>
                {data.lines.map((line, i) => (
                  <td key={line.name}>{shownOr(data, values[i])}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </>
  );
}

// Nothing where the line has no point, and a dash where nothing is known.
function shownOr(data: ChartData, value: number | null | undefined): string {
  return value === undefined ? '' : value === null ? '–' : data.shown(value);
}
