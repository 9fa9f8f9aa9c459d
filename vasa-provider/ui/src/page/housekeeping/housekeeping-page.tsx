import { Allowed } from '../../kit/allowed';
import { PageFrame } from '../../kit/page-frame';
import { UrlTabs } from '../../kit/url-tabs';
import { useText } from '../../text/preferences';
import { BackupTab } from './backup-tab';
import { FindingsTable } from './findings-table';
import { LockTab } from './lock-tab';
import { MirrorCard } from './mirror-card';
import { OrphanTab } from './orphan-tab';
import { PortalTab } from './portal-tab';
import { ReclaimTab } from './reclaim-tab';
import { ScrubCard } from './scrub-card';

/** What keeps the array in order: damage, portals, space, orphans, locks and backup. */
export default function HousekeepingPage() {
  const text = useText();
  const t = text.housekeeping;
  return (
    <PageFrame title={t.title}>
      <UrlTabs
        label={t.title}
        tabs={[
          {
            key: 'damage',
            title: t.damage.title,
            body: (
              <Allowed operation="GET /scrub">
                <br />
                <div className="c-cards">
                  <ScrubCard />
                  <MirrorCard />
                </div>
                <FindingsTable />
              </Allowed>
            ),
          },
          {
            key: 'portals',
            title: t.portals.title,
            body: (
              <Allowed operation="GET /iscsi">
                <PortalTab />
              </Allowed>
            ),
          },
          { key: 'space', title: t.space.title, body: <ReclaimTab /> },
          {
            key: 'orphans',
            title: t.orphans.title,
            body: (
              <Allowed operation="GET /orphans">
                <OrphanTab />
              </Allowed>
            ),
          },
          {
            key: 'locks',
            title: t.locks.title,
            body: (
              <Allowed operation="GET /locks">
                <LockTab />
              </Allowed>
            ),
          },
          { key: 'backup', title: t.backup.title, body: <BackupTab /> },
        ]}
      />
    </PageFrame>
  );
}
