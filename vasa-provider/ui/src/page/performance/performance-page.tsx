import { PageFrame } from '../../kit/page-frame';
import { UrlTabs } from '../../kit/url-tabs';
import { useText } from '../../text/preferences';
import { LoadTab } from './load-tab';
import { OffloadsTab } from './offloads-tab';
import { SHOWN_NAMES } from './shown-state';

/** How busy objects are, side by side, why one of them is slow, and what hosts leave to the array. */
export default function PerformancePage() {
  const t = useText().performance;
  return (
    <PageFrame title={t.title}>
      <UrlTabs
        label={t.title}
        kept={SHOWN_NAMES}
        tabs={[
          { key: 'load', title: t.tabs.load, body: <LoadTab /> },
          { key: 'offloads', title: t.tabs.offloads, body: <OffloadsTab /> },
        ]}
      />
    </PageFrame>
  );
}
