import { Allowed } from '../../kit/allowed';
import { PageFrame } from '../../kit/page-frame';
import { UrlTabs } from '../../kit/url-tabs';
import { useText } from '../../text/preferences';
import { HistoryTable } from './history-table';
import { TargetTable } from './target-table';

/** What happened, the newest first, and where alerts are sent. */
export default function HistoryPage() {
  const text = useText();
  const t = text.history;
  return (
    <PageFrame title={t.title}>
      <UrlTabs
        label={t.title}
        tabs={[
          { key: 'list', title: t.list, body: <HistoryTable /> },
          {
            key: 'targets',
            title: t.targets,
            body: (
              <Allowed operation="GET /alert-targets">
                <TargetTable />
              </Allowed>
            ),
          },
        ]}
      />
    </PageFrame>
  );
}
