import { Content } from '@patternfly/react-core';
import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { useNavigate, useParams } from 'react-router';
import { call } from '../../api/call';
import { type PageCall, useRows } from '../../api/lists';
import { send } from '../../api/send';
import { ActionButton } from '../../kit/action-button';
import { Facts } from '../../kit/facts';
import { Figure, Time } from '../../kit/figure';
import { PageFrame } from '../../kit/page-frame';
import { QueryCard } from '../../kit/query-card';
import { useFormat, useText } from '../../text/preferences';
import { CONTAINERS } from '../container/container';
import type { Vvol } from '../volumes-page';
import { ApplyPolicy } from './apply-policy';
import type { Policy } from './policy';
import { DeletePolicy, EditPolicy } from './policy-forms';
import { PolicyVolumes, volumesOf } from './policy-volumes';
import { demandsOf, offeredIn } from './policy-words';

const VOLUMES: PageCall<Vvol> = (query) => call('GET /vvols', { query });

/** One storage policy: what it demands, and the volumes that have it. */
export default function PolicyPage() {
  const text = useText();
  const format = useFormat();
  const id = useParams().id!;
  const t = text.policies;
  const policy = useQuery({
    queryKey: ['policies', 'one', id],
    queryFn: ({ signal }) => send(call('GET /policies/{id}', { path: { id } }), signal),
  });
  const volumes = useRows(['volumes'], VOLUMES);
  const containers = useContainerNames();
  const data = policy.data;
  const having = volumes.data === undefined ? [] : volumesOf(id, volumes.data).rows;
  const older = having.filter((row) => (row.policy?.generation ?? 0) < (data?.generation ?? 0));
  return (
    <PageFrame
      title={data?.name ?? id}
      from={{ to: '/policies', title: t.title }}
      head={
        data !== undefined && (
          <Actions
            policy={data}
            used={having.length}
            older={older.length}
            containers={containers}
          />
        )
      }
    >
      <div className="c-cards">
        <QueryCard title={t.demands} query={policy}>
          {(found) => <Demands sentences={demandsOf(found, text, format)} />}
        </QueryCard>
        <QueryCard title={t.about} query={policy}>
          {(found) => (
            <Facts
              of={[
                [text.forms.edit.description, found.description],
                [t.edition, <EditionFigure policy={found} />],
                [t.offered, offeredIn(found, text, containers)],
                [t.author, found.author],
                [t.created, <Time at={found.created} />],
              ]}
            />
          )}
        </QueryCard>
        {data !== undefined && (
          <div className="c-wide">
            <PolicyVolumes policy={data} volumes={volumes} />
          </div>
        )}
      </div>
    </PageFrame>
  );
}

function useContainerNames(): ReadonlyMap<string, string> {
  const rows = useRows(['containers'], CONTAINERS).data?.rows;
  return useMemo(() => new Map((rows ?? []).map(({ id, name }) => [id, name])), [rows]);
}

function EditionFigure({ policy: { id, generation } }: { policy: Policy }) {
  return <Figure of={`/policies/${id}`} at="/generation" value={generation} unit="count" />;
}

function Demands({ sentences }: { sentences: readonly string[] }) {
  const text = useText();
  return sentences.length === 0 ? (
    <p>{text.policies.demandsNothing}</p>
  ) : (
    <Content component="ul">
      {sentences.map((sentence) => (
        <li key={sentence}>{sentence}</li>
      ))}
    </Content>
  );
}

interface ActionsProps {
  policy: Policy;
  /** How many volumes have it. */
  used: number;
  /** How many of them have an older edition. */
  older: number;
  /** The names of containers by their ids. */
  containers: ReadonlyMap<string, string>;
}

function Actions({ policy, used, older, containers }: ActionsProps) {
  const text = useText();
  const navigate = useNavigate();
  const [asking, setAsking] = useState<'edit' | 'apply' | 'delete' | undefined>();
  const close = () => setAsking(undefined);
  return (
    <>
      <div className="c-actions">
        <ActionButton operation="PUT /policies/{id}" onClick={() => setAsking('edit')}>
          {text.forms.edit.edit}
        </ActionButton>
        {older > 0 && (
          <ActionButton
            operation="POST /policies/{id}/apply"
            variant="secondary"
            onClick={() => setAsking('apply')}
          >
            {text.policies.applyOlder(older)}
          </ActionButton>
        )}
        <ActionButton
          operation="DELETE /policies/{id}"
          variant="danger"
          onClick={() => setAsking('delete')}
        >
          {text.common.delete}
        </ActionButton>
      </div>
      {asking === 'edit' && <EditPolicy policy={policy} containers={containers} close={close} />}
      {asking === 'apply' && <ApplyPolicy policy={policy} close={close} />}
      {asking === 'delete' && (
        <DeletePolicy
          policy={policy}
          used={used}
          gone={() => void navigate('/policies')}
          close={close}
        />
      )}
    </>
  );
}
