import { Button } from '@patternfly/react-core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { Call, Output } from '../../api/call';
import { send } from '../../api/send';
import { QueryCard } from '../../kit/query-card';
import { useFormat, useText } from '../../text/preferences';
import type { LoadObject } from '../performance/load-object';
import { Neighbours } from '../performance/neighbours';

type Diagnosis = Output<'GET /volumes/{id}/diagnosis'>;

const MICROS = 1e-6;

interface Props {
  ask: Call<Diagnosis>;
  /** None: that of a page that is about one object. */
  title?: string;
  children?: ReactNode;
}

/** Why an object is slow: one sentence, the figures that it rests on, and who else is at work. */
export function WhySlow({ ask, title, children }: Props) {
  const text = useText();
  const found = useQuery({
    queryKey: ['diagnosis', ask.path],
    gcTime: 0,
    queryFn: ({ signal }) => send(ask, signal),
  });
  return (
    <QueryCard title={title ?? text.object.why} query={found} head={children}>
      {(data) => (
        <>
          <p lang="en" data-cause={data.cause}>
            <strong>{data.sentence}</strong>
          </p>
          <LatencyParts found={data} />
          <Neighbours list={data.neighbours} sufferer={objectOf(ask)} />
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

function LatencyParts({ found }: { found: Diagnosis }) {
  const text = useText();
  const format = useFormat();
  const parts = [
    { name: text.overview.device, part: found.device },
    { name: text.overview.queue, part: found.queue },
    { name: text.overview.limit, part: found.limit },
    { name: text.object.network, part: found.network },
  ];
  return (
    <table className="c-figures">
      <caption>
        {text.object.meanOf(format.number(found.commands), format.seconds(found.latency * MICROS))}
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

/** What the question is about. */
function objectOf({ key, parameters }: Call<Diagnosis>): LoadObject {
  return { kind: key === 'GET /vms/{id}/diagnosis' ? 'vm' : 'volume', id: parameters.id! };
}
