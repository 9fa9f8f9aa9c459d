import { Content, Skeleton } from '@patternfly/react-core';
import { useQuery } from '@tanstack/react-query';
import { call } from '../api/call';
import { send } from '../api/send';
import { Figure } from '../kit/figure';
import { ProblemAlert } from '../kit/problem-alert';
import { useFormat, useText } from '../text/preferences';

/** How many things the API is asked about at once. */
export const MOST_ASKED = 100;

/** What a deletion frees, and what stays and why, asked before it. */
export function Freed({ ids }: { ids: readonly string[] }) {
  const text = useText();
  const format = useFormat();
  const asked = ids.slice(0, MOST_ASKED).join(',');
  const freed = useQuery({
    queryKey: ['space', 'freed', asked],
    gcTime: 0,
    queryFn: ({ signal }) => send(call('GET /space/freed', { query: { ids: asked } }), signal),
  });
  if (freed.isError) {
    return <ProblemAlert error={freed.error} retry={() => void freed.refetch()} />;
  }
  if (freed.data === undefined) {
    return <Skeleton screenreaderText={text.common.loading} />;
  }
  const { items } = freed.data;
  const shared = items.length === 1 ? items[0]!.shared : 0;
  return (
    <Content component="p">
      <strong>
        {text.volumes.alone}:{' '}
        <Figure
          of={`/space/freed?ids=${asked}`}
          at="/bytes"
          value={freed.data.bytes}
          unit="bytes"
        />
      </strong>
      <br />
      <span lang="en">{freed.data.sentence}</span>
      {shared > 0 && (
        <>
          <br />
          {text.volumes.sharedStays(format.bytes(shared))}
        </>
      )}
      {items
        .filter(({ stays }) => stays !== null)
        .map((one) => (
          <span key={one.id} data-stays={one.id}>
            <br />
            {one.name ?? one.id}: <span lang="en">{one.stays}</span>
          </span>
        ))}
    </Content>
  );
}
