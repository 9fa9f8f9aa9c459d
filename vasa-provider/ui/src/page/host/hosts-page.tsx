import { ActionButton } from '../../kit/action-button';
import { PageFrame } from '../../kit/page-frame';
import { UrlTabs } from '../../kit/url-tabs';
import { useUrlState } from '../../kit/url-state';
import { useText } from '../../text/preferences';
import { ExportTable } from './export-table';
import { HostTable } from './host-table';
import { HostWizard } from './host-wizard';
import { RefusedLogins } from './refused-logins';
import { SessionTable } from './session-table';

/** Hosts, what they are given, and how they come in. */
export default function HostsPage() {
  const text = useText();
  const [doing, setDoing] = useUrlState('do', '');
  const t = text.hosts;
  const tabs = [
    { key: 'hosts', title: t.hosts, body: <HostTable /> },
    { key: 'exports', title: t.exports, body: <ExportTable /> },
    { key: 'sessions', title: t.sessions, body: <SessionTable /> },
    { key: 'refused', title: t.refused, body: <RefusedLogins /> },
  ];
  return (
    <PageFrame
      title={t.title}
      head={
        <ActionButton operation="POST /exports" onClick={() => setDoing('disk')}>
          {t.wizard.title}
        </ActionButton>
      }
    >
      <UrlTabs label={t.title} tabs={tabs} />
      {doing === 'disk' && <HostWizard close={() => setDoing('')} />}
    </PageFrame>
  );
}
