import { Tab, Tabs, TabTitleText } from '@patternfly/react-core';
import { useState } from 'react';
import { CopyLines } from './copy-lines';

interface Props {
  label: string;
  /** What the same is for different programs or systems. */
  forms: readonly { key: string; title: string; lines: string }[];
  /** The attribute that tells a test which form is shown, such as `data-system`. */
  attribute: `data-${string}`;
}

/** Lines to copy, of which there are several forms. */
export function LinesByForm({ label, forms, attribute }: Props) {
  const [chosen, setChosen] = useState('');
  const shown = forms.find(({ key }) => key === chosen) ?? forms[0];
  if (shown === undefined) {
    return null;
  }
  return (
    <Tabs
      aria-label={label}
      activeKey={shown.key}
      onSelect={(_, key) => setChosen(String(key))}
      mountOnEnter
      unmountOnExit
    >
      {forms.map(({ key, title, lines }) => (
        <Tab key={key} eventKey={key} title={<TabTitleText>{title}</TabTitleText>}>
          <CopyLines label={title} lines={lines} mark={{ [attribute]: key }} />
        </Tab>
      ))}
    </Tabs>
  );
}
