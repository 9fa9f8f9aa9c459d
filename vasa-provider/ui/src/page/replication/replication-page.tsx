import { Content, EmptyState, EmptyStateBody } from '@patternfly/react-core';
import { useRows } from '../../api/lists';
import { PageFrame } from '../../kit/page-frame';
import { UrlTabs } from '../../kit/url-tabs';
import { useText } from '../../text/preferences';
import { GroupTable } from './group-table';
import { PairActions } from './pair-actions';
import { PeerTable } from './peer-table';
import { GROUPS, KEYS, PEERS } from './replication';
import { RunbookTable } from './runbook-table';

/** What goes to other pools, what came from them, and how pools are paired. */
export default function ReplicationPage() {
  const text = useText();
  const t = text.replication;
  const peers = useRows(KEYS.peers, PEERS);
  const groups = useRows(KEYS.groups, GROUPS);
  const isEmpty = peers.data?.total === 0 && groups.data?.total === 0;
  return (
    <PageFrame title={t.title}>
      {isEmpty ? (
        <NoPeer />
      ) : (
        <UrlTabs
          label={t.title}
          tabs={[
            { key: 'groups', title: t.groups, body: <GroupTable /> },
            { key: 'runbooks', title: text.runbooks.title, body: <RunbookTable /> },
            { key: 'peers', title: t.peers, body: <PeerTable /> },
          ]}
        />
      )}
    </PageFrame>
  );
}

/** The first two steps, for a pool that is alone. */
function NoPeer() {
  const t = useText().replication;
  return (
    <EmptyState headingLevel="h2" titleText={t.emptyTitle}>
      <EmptyStateBody>
        <Content component="p">{t.emptyText}</Content>
        <Content component="ol">
          {t.emptySteps.map((step) => (
            <li key={step}>{step}</li>
          ))}
        </Content>
        <div className="c-actions c-centered">
          <PairActions />
        </div>
      </EmptyStateBody>
    </EmptyState>
  );
}
