import { useQuery } from '@tanstack/react-query';
import { call, type Output } from '../../api/call';
import { send } from '../../api/send';
import { Figure, Time } from '../../kit/figure';
import { QueryCard } from '../../kit/query-card';
import { useText } from '../../text/preferences';
import { FallBackReasons } from './fall-back-reasons';
import { type Count, OFFLOAD_KINDS } from './offload-kinds';

const OF = '/offloads/total';

/** What all hosts have left to the array since the start of the provider. */
export function OffloadTotals() {
  const text = useText();
  const total = useQuery({
    queryKey: ['offloads', 'total'],
    queryFn: ({ signal }) => send(call('GET /offloads/total'), signal),
  });
  return (
    <QueryCard title={text.performance.offloads.all} query={total}>
      {(read) => (
        <>
          <p>
            {text.performance.offloads.since} <Time at={read.since} />
          </p>
          <div
            className="c-scroll"
            role="region"
            aria-label={text.performance.offloads.all}
            tabIndex={0}
          >
            <TotalTable read={read} />
          </div>
        </>
      )}
    </QueryCard>
  );
}

function TotalTable({ read }: { read: Output<'GET /offloads/total'> }) {
  const text = useText();
  const t = text.performance.offloads;
  return (
    <table className="c-figures">
      <thead>
        <tr>
          {[t.kind, t.commands, t.spared, t.fallBacks, t.reasons].map((title) => (
            <th key={title} scope="col">
              {title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {OFFLOAD_KINDS.map((kind) => {
          const count = read.kinds[kind];
          return (
            count !== undefined && (
              <CountRow key={kind} title={t.kinds[kind]} at={`/kinds/${kind}`} count={count} />
            )
          );
        })}
        <CountRow title={t.kinds.all} at="/total" count={read.total} />
      </tbody>
    </table>
  );
}

function CountRow({ title, at, count }: { title: string; at: string; count: Count }) {
  return (
    <tr>
      <th scope="row">{title}</th>
      <td>
        <Figure of={OF} at={`${at}/commands`} value={count.commands} unit="count" />
      </td>
      <td>
        <Figure of={OF} at={`${at}/bytesSpared`} value={count.bytesSpared} unit="bytes" />
      </td>
      <td>
        <Figure of={OF} at={`${at}/fallBacks`} value={count.fallBacks} unit="count" />
      </td>
      <td>
        <FallBackReasons of={title} count={count} />
      </td>
    </tr>
  );
}
