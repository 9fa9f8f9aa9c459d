import { Allowed } from '../../kit/allowed';
import { PageFrame } from '../../kit/page-frame';
import { UrlTabs } from '../../kit/url-tabs';
import { useText } from '../../text/preferences';
import { AccountTable } from './account-table';
import { ApprovalTable } from './approval-table';
import { ChapTable } from './chap-table';
import { OperationTable } from './operation-table';
import { OwnAccount } from './own-account';
import { BrowserSessionTable } from './session-table';
import { TokenTable } from './token-table';

/** Who may come in, and do what. */
export default function AccessPage() {
  const text = useText();
  const t = text.access;
  return (
    <PageFrame title={t.title}>
      <UrlTabs
        label={t.title}
        tabs={[
          { key: 'own', title: t.own.title, body: <OwnAccount /> },
          {
            key: 'accounts',
            title: t.account.title,
            body: (
              <Allowed operation="GET /accounts">
                <AccountTable />
              </Allowed>
            ),
          },
          {
            key: 'sessions',
            title: t.session.title,
            body: (
              <Allowed operation="GET /sessions">
                <BrowserSessionTable />
              </Allowed>
            ),
          },
          { key: 'tokens', title: t.token.title, body: <TokenTable /> },
          {
            key: 'approvals',
            title: t.approval.title,
            body: (
              <Allowed operation="GET /approvals">
                <ApprovalTable />
              </Allowed>
            ),
          },
          {
            key: 'chap',
            title: t.chap.title,
            body: (
              <Allowed operation="GET /hosts">
                <ChapTable />
              </Allowed>
            ),
          },
          { key: 'operations', title: t.operations.title, body: <OperationTable /> },
        ]}
      />
    </PageFrame>
  );
}
