import { Alert, Progress } from '@patternfly/react-core';
import { useQuery } from '@tanstack/react-query';
import { call, type Output } from '../../api/call';
import { send } from '../../api/send';
import { Facts } from '../../kit/facts';
import { QueryCard } from '../../kit/query-card';
import { useText } from '../../text/preferences';

type Mirror = NonNullable<Output<'GET /system'>['mirror']>;

/** The two devices of a pool that is kept on two. */
export function MirrorCard() {
  const text = useText();
  const t = text.housekeeping.damage;
  const system = useQuery({
    queryKey: ['space', 'system'],
    queryFn: ({ signal }) => send(call('GET /system'), signal),
  });
  return (
    <QueryCard title={t.mirror} query={system}>
      {({ mirror }) => (mirror === null ? <p>{t.single}</p> : <Devices mirror={mirror} />)}
    </QueryCard>
  );
}

function Devices({ mirror }: { mirror: Mirror }) {
  const text = useText();
  const t = text.housekeeping.damage;
  return (
    <>
      <Alert
        isInline
        isPlain
        variant={mirror.redundant ? 'success' : 'danger'}
        title={mirror.redundant ? t.redundant : t.notRedundant}
        component="p"
      />
      {mirror.sentence !== '' && <p lang="en">{mirror.sentence}</p>}
      <Facts
        of={[
          [t.first, t.devices[mirror.first]],
          [t.second, t.devices[mirror.second]],
        ]}
      />
      {!mirror.redundant && (
        <Progress aria-label={t.filled} title={t.filled} value={mirror.percentFilled} />
      )}
    </>
  );
}
