import { PageFrame } from '../../kit/page-frame';
import { UrlTabs } from '../../kit/url-tabs';
import { useText } from '../../text/preferences';
import { GroupTable } from './group-table';
import { PointTable } from './point-table';
import { PolicyTable } from './policy-table';
import { ScheduleTable } from './schedule-table';

/** What is protected, by which rules, and the points that there are. */
export default function ProtectionPage() {
  const t = useText().protection;
  return (
    <PageFrame title={t.title}>
      <UrlTabs
        label={t.title}
        tabs={[
          { key: 'policies', title: t.policies, body: <PolicyTable /> },
          { key: 'groups', title: t.groups, body: <GroupTable /> },
          { key: 'points', title: t.points, body: <PointTable /> },
          { key: 'schedules', title: t.schedules, body: <ScheduleTable /> },
        ]}
      />
    </PageFrame>
  );
}
