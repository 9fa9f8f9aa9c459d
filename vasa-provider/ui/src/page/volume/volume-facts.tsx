import { Card, CardBody, CardTitle } from '@patternfly/react-core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { call } from '../../api/call';
import { send } from '../../api/send';
import { Facts } from '../../kit/facts';
import { Figure, Time } from '../../kit/figure';
import { useText } from '../../text/preferences';
import { Compliance, type Vvol } from '../volumes-page';
import { textOfLabels } from './labels';

/** What a volume is, where it is, and which policy it keeps. */
export function VolumeFacts({ volume }: { volume: Vvol }) {
  const text = useText();
  const t = text.volumes;
  const of = `/vvols/${volume.id}`;
  const container = useQuery({
    queryKey: ['containers', 'one', volume.container],
    queryFn: ({ signal }) =>
      send(call('GET /containers/{id}', { path: { id: volume.container } }), signal),
  });
  const policy = useQuery({
    queryKey: ['policies', 'one', volume.policy?.id],
    enabled: volume.policy !== null,
    queryFn: ({ signal }) =>
      send(call('GET /policies/{id}', { path: { id: volume.policy!.id } }), signal),
  });
  const facts: (readonly [string, ReactNode])[] = [
    [t.kind, volume.plain ? t.kinds.volume : `${t.kinds.vvol} ${volume.type}`],
    [t.size, <Figure of={of} at="/size" value={volume.size} unit="bytes" />],
    [t.mapped, <Figure of={of} at="/mapped" value={volume.mapped} unit="bytes" />],
    [text.object.alone, <Figure of={of} at="/unique" value={volume.unique} unit="bytes" />],
    [
      t.container,
      <Link to={`/containers/${volume.container}`}>{container.data?.name ?? volume.container}</Link>,
    ],
    [
      t.policy,
      volume.policy === null ? (
        text.volume.noPolicy
      ) : (
        <Link to={`/policies/${volume.policy.id}`}>{policy.data?.name ?? volume.policy.id}</Link>
      ),
    ],
    [t.compliance, <Compliance of={volume} text={text} />],
    [
      t.vm,
      volume.vm === null ? (
        text.common.none
      ) : (
        <Link to={`/vms/${encodeURIComponent(volume.vm)}`}>{volume.vm}</Link>
      ),
    ],
    [text.volume.naa, volume.naa],
    [t.created, <Time at={volume.created} />],
    [text.volume.labels, textOfLabels(volume.labels) || text.common.none],
  ];
  return (
    <Card isFullHeight>
      <CardTitle component="h2">{text.volume.facts}</CardTitle>
      <CardBody>
        <Facts of={facts} />
      </CardBody>
    </Card>
  );
}
