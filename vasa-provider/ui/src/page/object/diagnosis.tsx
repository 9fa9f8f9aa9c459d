import { Button, Card, CardBody, CardTitle } from '@patternfly/react-core';
import { useQuery } from '@tanstack/react-query';
import type { Call, Output } from '../../api/call';
import { send } from '../../api/send';
import { ProblemAlert } from '../../kit/problem-alert';
import { useFormat, useText } from '../../text/preferences';

const MICROS = 1e-6;

/** Why an object is slow: one sentence, and the figures that it rests on. */
export function WhySlow({ ask }: { ask: Call<Output<'GET /volumes/{id}/diagnosis'>> }) {
  const text = useText();
  const format = useFormat();
  const t = text.object;
  const found = useQuery({
    queryKey: ['diagnosis', ask.path],
    gcTime: 0,
    queryFn: ({ signal }) => send(ask, signal),
  });
  const data = found.data;
  const parts = data && [
    { name: text.overview.device, part: data.device },
    { name: text.overview.queue, part: data.queue },
    { name: text.overview.limit, part: data.limit },
    { name: t.network, part: data.network },
  ];
  return (
    <Card isFullHeight>
      <CardTitle component="h2">{t.why}</CardTitle>
      <CardBody>
        {found.isError && <ProblemAlert error={found.error} retry={() => void found.refetch()} />}
        {data !== undefined && parts !== undefined && (
          <>
            <p lang="en" data-cause={data.cause}>
              <strong>{data.sentence}</strong>
            </p>
            <table className="c-figures">
              <caption>{t.meanOf(format.number(data.commands), format.seconds(data.latency * MICROS))}</caption>
              <tbody>
                {parts.map(({ name, part }) => (
                  <tr key={name}>
                    <th scope="row">{name}</th>
                    <td>{part === null ? '–' : format.seconds(part.time * MICROS)}</td>
                    <td>{part === null ? '' : `${part.percent} %`}</td>
                  </tr>
                ))}
              </tbody>
            </table>
            {data.neighbours.length > 0 && (
              <>
                <h3>{t.neighbours}</h3>
                <ul>
                  {data.neighbours.map((one, i) => (
                    <li key={one.vvol ?? i}>
                      {one.name ?? one.vvol ?? text.common.unknown}:{' '}
                      {t.share(one.commandsPercent, one.bytesPercent)}
                    </li>
                  ))}
                </ul>
              </>
            )}
          </>
        )}
        <br />
        <Button variant="secondary" isLoading={found.isFetching} onClick={() => void found.refetch()}>
          {t.askAgain}
        </Button>
      </CardBody>
    </Card>
  );
}
