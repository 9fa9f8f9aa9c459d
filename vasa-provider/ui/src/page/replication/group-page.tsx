import { Title } from '@patternfly/react-core';
import { useQuery } from '@tanstack/react-query';
import { useParams } from 'react-router';
import { call } from '../../api/call';
import { send } from '../../api/send';
import { PageFrame } from '../../kit/page-frame';
import { QueryCard } from '../../kit/query-card';
import { useText } from '../../text/preferences';
import { BothSides } from './both-sides';
import { GroupActions } from './group-actions';
import { CycleFacts, GroupFacts, HeldVolumes, Members } from './group-facts';
import { LagHistory } from './lag-history';
import { ReplicaTable, useReplicas } from './replica-table';
import { GROUP_MILLIS, usePeerNames } from './replication';
import { receives } from './state';

/** One replication group, as this end knows it: both sides, its replicas, and what may be done now. */
export default function ReplicationGroupPage() {
  const text = useText();
  const id = useParams().id!;
  const t = text.replication;
  const group = useQuery({
    queryKey: ['replication', 'group', id],
    refetchInterval: GROUP_MILLIS,
    queryFn: ({ signal }) => send(call('GET /replication/groups/{id}', { path: { id } }), signal),
  });
  const data = group.data;
  const replicas = useReplicas(id, data);
  const all = replicas.data?.rows ?? [];
  const peers = usePeerNames();
  const peer = data === undefined ? '' : (peers.get(data.peer) ?? data.peer);
  return (
    <PageFrame
      title={data?.name ?? id}
      from={{ to: '/replication', title: t.title }}
      head={data !== undefined && <GroupActions group={data} peer={peer} replicas={all} />}
    >
      <div className="c-cards">
        <QueryCard title={t.sides.title} wide query={group}>
          {(found) => <BothSides group={found} peer={peer} />}
        </QueryCard>
        <QueryCard title={t.facts} query={group}>
          {(found) => <GroupFacts group={found} peer={peer} replicas={all} />}
        </QueryCard>
        <QueryCard title={t.cycles.title} query={group}>
          {(found) => <CycleFacts group={found} />}
        </QueryCard>
        {data !== undefined && <LagHistory group={data} />}
        <QueryCard title={t.members} query={group}>
          {(found) => <Members group={found} />}
        </QueryCard>
        {data !== undefined && data.volumes.length > 0 && (
          <QueryCard
            title={data.state === 'INTEST' ? t.shownVolumes.INTEST : t.shownVolumes.other}
            query={group}
          >
            {({ volumes }) => <HeldVolumes ids={volumes} />}
          </QueryCard>
        )}
      </div>
      {data !== undefined && (
        <section aria-label={t.replicas}>
          <Title headingLevel="h2" size="lg" className="c-above">
            {t.replicas}
          </Title>
          {receives(data.state) || all.length > 0 ? (
            <ReplicaTable group={data} peer={peer} query={replicas} />
          ) : (
            <p>{t.atTarget(peer)}</p>
          )}
        </section>
      )}
    </PageFrame>
  );
}
