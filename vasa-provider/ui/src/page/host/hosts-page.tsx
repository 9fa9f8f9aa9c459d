import { PageSection, Tab, Tabs, TabTitleText, Title } from '@patternfly/react-core';
import { useState } from 'react';
import { ActionButton } from '../../kit/action-button';
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
  const [tab, setTab] = useUrlState('tab', 'hosts');
  const [wizard, setWizard] = useState(false);
  const t = text.hosts;
  const tabs = [
    { key: 'hosts', title: t.hosts, body: <HostTable /> },
    { key: 'exports', title: t.exports, body: <ExportTable /> },
    { key: 'sessions', title: t.sessions, body: <SessionTable /> },
    { key: 'refused', title: t.refused, body: <RefusedLogins /> },
  ];
  const shown = tabs.find(({ key }) => key === tab) ?? tabs[0]!;
  return (
    <>
      <PageSection>
        <Title headingLevel="h1">{t.title}</Title>
        <br />
        <ActionButton operation="POST /exports" onClick={() => setWizard(true)}>
          {t.wizard.title}
        </ActionButton>
      </PageSection>
      <PageSection isFilled>
        <Tabs
          aria-label={t.title}
          activeKey={shown.key}
          onSelect={(_, key) => setTab(String(key))}
        >
          {tabs.map(({ key, title }) => (
            <Tab key={key} eventKey={key} title={<TabTitleText>{title}</TabTitleText>} />
          ))}
        </Tabs>
        {shown.body}
      </PageSection>
      {wizard && <HostWizard close={() => setWizard(false)} />}
    </>
  );
}
