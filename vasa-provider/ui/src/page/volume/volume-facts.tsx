import {
  Card,
  CardBody,
  CardTitle,
  DescriptionList,
  DescriptionListDescription,
  DescriptionListGroup,
  DescriptionListTerm,
} from '@patternfly/react-core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { call } from '../../api/call';
import { send } from '../../api/send';
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
  const facts: { term: string; of: ReactNode }[] = [
    { term: t.kind, of: volume.plain ? t.kinds.volume : `${t.kinds.vvol} ${volume.type}` },
    { term: t.size, of: <Figure of={of} at="/size" value={volume.size} unit="bytes" /> },
    { term: t.mapped, of: <Figure of={of} at="/mapped" value={volume.mapped} unit="bytes" /> },
    { term: text.object.alone, of: <Figure of={of} at="/unique" value={volume.unique} unit="bytes" /> },
    { term: t.container, of: container.data?.name ?? volume.container },
    {
      term: t.policy,
      of: volume.policy === null ? text.volume.noPolicy : (policy.data?.name ?? volume.policy.id),
    },
    { term: t.compliance, of: <Compliance of={volume} text={text} /> },
    ...(volume.vm === null
      ? []
      : [
          {
            term: t.vm,
            of: <Link to={`/vms/${encodeURIComponent(volume.vm)}`}>{volume.vm}</Link>,
          },
        ]),
    { term: text.volume.naa, of: volume.naa },
    { term: t.created, of: <Time at={volume.created} /> },
    { term: text.volume.labels, of: textOfLabels(volume.labels) || text.common.none },
  ];
  return (
    <Card isFullHeight>
      <CardTitle component="h2">{text.volume.facts}</CardTitle>
      <CardBody>
        <DescriptionList isHorizontal isCompact>
          {facts.map((fact) => (
            <DescriptionListGroup key={fact.term}>
              <DescriptionListTerm>{fact.term}</DescriptionListTerm>
              <DescriptionListDescription className="c-break">{fact.of}</DescriptionListDescription>
            </DescriptionListGroup>
          ))}
        </DescriptionList>
      </CardBody>
    </Card>
  );
}
