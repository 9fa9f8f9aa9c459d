import { Alert, Progress, ProgressMeasureLocation } from '@patternfly/react-core';
import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import { useState } from 'react';
import { Link, useNavigate, useParams } from 'react-router';
import { call } from '../../api/call';
import { send } from '../../api/send';
import { ActionButton } from '../../kit/action-button';
import { Facts } from '../../kit/facts';
import { Figure, Time } from '../../kit/figure';
import { PageFrame } from '../../kit/page-frame';
import { QueryCard } from '../../kit/query-card';
import { useFormat, useText } from '../../text/preferences';
import { type Container, holds } from './container';
import { DefaultPolicies } from './default-policies';
import { DeleteContainer } from './delete-container';
import { EditContainer } from './edit-container';
import { OfferedTo } from './offered-to';
import { ShortenBin } from './shorten-bin';
import { SpaceHistory } from './space-history';

/** One container: its space now and before, what is foreseen, and what may be changed. */
export default function ContainerPage() {
  const text = useText();
  const id = useParams().id!;
  const container = useQuery({
    queryKey: ['containers', 'one', id],
    queryFn: ({ signal }) => send(call('GET /containers/{id}', { path: { id } }), signal),
  });
  const data = container.data;
  return (
    <PageFrame
      title={data?.name ?? id}
      from={{ to: '/containers', title: text.containers.title }}
      head={data !== undefined && <Actions container={data} />}
    >
      <div className="c-cards">
        <SpaceCard query={container} />
        <Forecast id={id} />
        <SpaceHistory id={id} />
        <DefaultPolicies id={id} />
        {data !== undefined && <OfferedTo container={data} />}
      </div>
    </PageFrame>
  );
}

function Actions({ container }: { container: Container }) {
  const text = useText();
  const navigate = useNavigate();
  const t = text.containers;
  const [asking, setAsking] = useState<'edit' | 'shorten' | 'delete' | undefined>();
  const close = () => setAsking(undefined);
  const stays = {
    volumes: `${t.noVolumes} ${t.hasVolumes(container.vvols)}`,
    bin: `${t.noVolumes} ${t.hasBin}`,
    nothing: undefined,
  }[holds(container)];
  return (
    <>
      <div className="c-actions">
        <ActionButton operation="PATCH /containers/{id}" onClick={() => setAsking('edit')}>
          {text.forms.edit.edit}
        </ActionButton>
        <ActionButton
          operation="POST /approvals"
          variant="secondary"
          onClick={() => setAsking('shorten')}
        >
          {t.shorten}
        </ActionButton>
        <ActionButton
          operation="DELETE /containers/{id}"
          variant="danger"
          reason={stays}
          onClick={() => setAsking('delete')}
        >
          {text.common.delete}
        </ActionButton>
      </div>
      {asking === 'edit' && <EditContainer container={container} close={close} />}
      {asking === 'shorten' && <ShortenBin container={container} close={close} />}
      {asking === 'delete' && (
        <DeleteContainer
          container={container}
          gone={() => void navigate('/containers')}
          close={close}
        />
      )}
    </>
  );
}

function SpaceCard({ query }: { query: UseQueryResult<Container> }) {
  const text = useText();
  return (
    <QueryCard title={text.containers.facts} query={query}>
      {(container) => <SpaceFacts container={container} />}
    </QueryCard>
  );
}

function SpaceFacts({ container }: { container: Container }) {
  const text = useText();
  const format = useFormat();
  const t = text.containers;
  const { id, quota, used, binTimeNext, binTimeNextAt } = container;
  const bytes = (name: 'quota' | 'used' | 'free' | 'reclaimable' | 'provisioned') => (
    <Figure of={`/containers/${id}`} at={`/${name}`} value={container[name]} unit="bytes" />
  );
  const count = (name: 'vms' | 'vvols') => (
    <Figure of={`/containers/${id}`} at={`/${name}`} value={container[name]} unit="count" />
  );
  return (
    <>
      <Progress
        aria-label={t.used}
        value={quota === 0 ? 0 : Math.min(100, (100 * used) / quota)}
        label={format.percent(used, quota)}
        measureLocation={ProgressMeasureLocation.outside}
      />
      <Facts
        of={[
          [t.quota, bytes('quota')],
          [t.used, bytes('used')],
          [t.free, bytes('free')],
          [t.reclaimable, bytes('reclaimable')],
          [t.provisioned, bytes('provisioned')],
          [t.vms, count('vms')],
          [t.vvols, count('vvols')],
          [t.binTime, binTimeText()],
          [text.volumes.created, <Time at={container.created} />],
        ]}
      />
      <Link to={`/volumes?q=${id}`}>{t.showVolumes}</Link>
      {container.warnings.map(({ code, sentence }) => (
        <Alert
          key={code}
          isInline
          isPlain
          variant="warning"
          component="p"
          title={<span lang="en">{sentence}</span>}
        />
      ))}
    </>
  );

  function binTimeText(): string {
    const now = container.binTime === 'PT0S' ? t.binOff : format.duration(container.binTime);
    return binTimeNext === null || binTimeNextAt === null
      ? now
      : `${now}. ${t.binNext(format.duration(binTimeNext), format.time(binTimeNextAt))}`;
  }
}

function Forecast({ id }: { id: string }) {
  const text = useText();
  const format = useFormat();
  const forecast = useQuery({
    queryKey: ['containers', 'forecast', id],
    queryFn: ({ signal }) =>
      send(call('GET /containers/{id}/forecast', { path: { id } }), signal),
  });
  return (
    <QueryCard title={text.containers.forecast} query={forecast}>
      {({ sentence, fullAt }) => (
        <>
          <p lang="en">{sentence}</p>
          {fullAt !== null && <p>{text.containers.fullAt(format.time(fullAt))}</p>}
        </>
      )}
    </QueryCard>
  );
}
