import { Tab, Tabs, TabTitleText } from '@patternfly/react-core';
import type { ReactNode } from 'react';
import { useSearchParams } from 'react-router';

interface Props {
  label: string;
  tabs: readonly { key: string; title: string; body: ReactNode }[];
}

/** Parts of a page of which one is shown; the address names it. */
export function UrlTabs({ label, tabs }: Props) {
  const [search, setSearch] = useSearchParams();
  const shown = tabs.find(({ key }) => key === search.get('tab')) ?? tabs[0]!;
  return (
    <>
      <Tabs
        aria-label={label}
        activeKey={shown.key}
        // The search and the order of one part's table are not those of another's.
        onSelect={(_, key) => setSearch({ tab: String(key) }, { replace: true })}
      >
        {tabs.map(({ key, title }) => (
          <Tab key={key} eventKey={key} title={<TabTitleText>{title}</TabTitleText>} />
        ))}
      </Tabs>
      {shown.body}
    </>
  );
}
