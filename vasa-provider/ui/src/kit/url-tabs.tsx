import { Tab, Tabs, TabTitleText } from '@patternfly/react-core';
import type { ReactNode } from 'react';
import { useSearchParams } from 'react-router';

interface Props {
  label: string;
  tabs: readonly { key: string; title: string; body: ReactNode }[];
  /** Names in the address that are one part's own, and are still there when somebody comes back to it. */
  kept?: readonly string[];
}

/** Parts of a page of which one is shown; the address names it. */
export function UrlTabs({ label, tabs, kept = [] }: Props) {
  const [search, setSearch] = useSearchParams();
  const shown = tabs.find(({ key }) => key === search.get('tab')) ?? tabs[0]!;

  // The search and the order of one part's table are not those of another's.
  function change(tab: string): void {
    const next = new URLSearchParams({ tab });
    for (const name of kept) {
      const value = search.get(name);
      if (value !== null) {
        next.set(name, value);
      }
    }
    setSearch(next, { replace: true });
  }

  return (
    <Tabs
      aria-label={label}
      activeKey={shown.key}
      onSelect={(_, key) => change(String(key))}
      mountOnEnter
      unmountOnExit
    >
      {tabs.map(({ key, title, body }) => (
        <Tab key={key} eventKey={key} title={<TabTitleText>{title}</TabTitleText>}>
          {body}
        </Tab>
      ))}
    </Tabs>
  );
}
