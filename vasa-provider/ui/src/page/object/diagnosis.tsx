import { Button } from '@patternfly/react-core';
import { useQuery } from '@tanstack/react-query';
import type { Call, Output } from '../../api/call';
import { send } from '../../api/send';
import { QueryCard } from '../../kit/query-card';
import { useFormat, useText } from '../../text/preferences';

const MICROS = 1e-6;

type Diagnosis = Output<'GET /volumes/{id}/diagnosis'>;

/** Why an object is slow: one sentence, and the figures that it rests on. */
export function WhySlow({ ask }: { ask: Call<Diagnosis> }) {
  const text = useText();
  const found = useQuery({
    queryKey: ['diagnosis', ask.path],
    gcTime: 0,
    queryFn: ({ signal }) => send(ask, signal),
  });
  return (
    <QueryCard title={text.object.why} query={found}>
      {(data) => (
        <>
          <p lang="en" data-cause={data.cause}>
            <strong>{data.sentence}</strong>
          </p>
          <Parts of={data} />
          {data.neighbours.length > 0 && <Neighbours of={data} />}
          <br />
          <Button
            variant="secondary"
            isLoading={found.isFetching}
            onClick={() => void found.refetch()}
          >
            {text.object.askAgain}
          </Button>
        </>
      )}
    </QueryCard>
  );
}

function Parts({ of }: { of: Diagnosis }) {
  const text = useText();
  const format = useFormat();
  const parts = [
    { name: text.overview.device, part: of.device },
    { name: text.overview.queue, part: of.queue },
    { name: text.overview.limit, part: of.limit },
    { name: text.object.network, part: of.network },
  ];
  return (
    <table className="c-figures">
      <caption>
        {text.object.meanOf(format.number(of.commands), format.seconds(of.latency * MICROS))}
      </caption>
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
  );
}

function Neighbours({ of }: { of: Diagnosis }) {
  const text = useText();
  const t = text.object;
  return (
    <>
      <h3>{t.neighbours}</h3>
      <ul>
        {of.neighbours.map((one, i) => (
          <li key={one.vvol ?? i}>
            {one.name ?? one.vvol ?? text.common.unknown}:{' '}
            {t.share(one.commandsPercent, one.bytesPercent)}
          </li>
        ))}
      </ul>
    </>
  );
}
