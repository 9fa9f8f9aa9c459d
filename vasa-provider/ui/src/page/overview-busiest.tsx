import { Card, CardBody, CardTitle, ToggleGroup, ToggleGroupItem } from '@patternfly/react-core';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { call } from '../api/call';
import { send } from '../api/send';
import { ProblemAlert } from '../kit/problem-alert';
import { useUrlState } from '../kit/url-state';
import { useFormat, useText } from '../text/preferences';
import { pageOf } from './performance/load-object';

const SHOWN = 10;
const REFRESH_MILLIS = 60_000;
const MICROS = 1e-6;
const OF = ['volume', 'vm'] as const;
const BY = ['iops', 'bandwidth', 'latency'] as const;

/** The ten busiest volumes or virtual machines. */
export function Busiest() {
  const text = useText();
  const format = useFormat();
  const [of, setOf] = useUrlState('of', 'volume');
  const [by, setBy] = useUrlState('by', 'iops');
  const query = { of: choice(OF, of), by: choice(BY, by), limit: SHOWN };
  const busiest = useQuery({
    queryKey: ['traffic', 'busiest', query.of, query.by],
    refetchInterval: REFRESH_MILLIS,
    queryFn: ({ signal }) => send(call('GET /traffic/busiest', { query }), signal),
  });
  const t = text.overview;
  return (
    <Card className="c-wide">
      <CardTitle component="h2">{t.busiest}</CardTitle>
      <CardBody>
        <ToggleGroup aria-label={t.busiestOf} isCompact>
          {OF.map((one) => (
            <ToggleGroupItem
              key={one}
              text={t.objects[one]}
              isSelected={query.of === one}
              onChange={() => setOf(one)}
            />
          ))}
        </ToggleGroup>{' '}
        <ToggleGroup aria-label={t.busiestBy} isCompact>
          {BY.map((one) => (
            <ToggleGroupItem
              key={one}
              text={t[one]}
              isSelected={query.by === one}
              onChange={() => setBy(one)}
            />
          ))}
        </ToggleGroup>
        {busiest.isError && (
          <ProblemAlert error={busiest.error} retry={() => void busiest.refetch()} />
        )}
        {busiest.data?.items.length === 0 && <p>{t.idle}</p>}
        {busiest.data !== undefined && busiest.data.items.length > 0 && (
          <div className="c-scroll" role="region" aria-label={t.busiest} tabIndex={0}>
            <table className="c-figures">
              <thead>
                <tr>
                  <th scope="col">{text.volumes.name}</th>
                  {[t.iops, t.bandwidth, t.latency, t.device, t.queue, t.limit].map((title) => (
                    <th key={title} scope="col">
                      {title}
                    </th>
                  ))}
                </tr>
              </thead>
              <tbody>
                {busiest.data.items.map((row) => (
                  <tr key={row.id}>
                    <th scope="row">
                      <Link
                        className="c-cut"
                        to={pageOf({ kind: query.of, id: row.id })!}
                        title={row.name ?? row.id}
                      >
                        {row.name ?? row.id}
                      </Link>
                    </th>
                    <td>{format.number(row.iops)}</td>
                    <td>{format.bytesPerSecond(row.bandwidth)}</td>
                    {[row.latency, row.device, row.queue, row.limit].map((micros, i) => (
                      <td key={i}>{format.seconds(micros * MICROS)}</td>
                    ))}
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
        )}
      </CardBody>
    </Card>
  );
}

function choice<T extends string>(known: readonly T[], wanted: string): T {
  return known.find((one) => one === wanted) ?? known[0]!;
}
