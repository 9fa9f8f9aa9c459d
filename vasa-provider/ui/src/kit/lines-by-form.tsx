import {
  ClipboardCopyButton,
  CodeBlock,
  CodeBlockAction,
  CodeBlockCode,
  Tab,
  Tabs,
  TabTitleText,
} from '@patternfly/react-core';
import { useId, useState } from 'react';
import { useText } from '../text/preferences';

interface Props {
  label: string;
  /** What the same is for different programs or systems. */
  forms: readonly { key: string; title: string; lines: string }[];
  /** The attribute that tells a test which form is shown, such as `data-system`. */
  attribute: `data-${string}`;
}

/** Lines to copy, of which there are several forms. */
export function LinesByForm({ label, forms, attribute }: Props) {
  const text = useText();
  const id = useId();
  const [chosen, setChosen] = useState('');
  const [copied, setCopied] = useState(false);
  const shown = forms.find(({ key }) => key === chosen) ?? forms[0];
  if (shown === undefined) {
    return null;
  }
  return (
    <>
      <Tabs
        aria-label={label}
        activeKey={shown.key}
        onSelect={(_, key) => {
          setChosen(String(key));
          setCopied(false);
        }}
      >
        {forms.map(({ key, title }) => (
          <Tab key={key} eventKey={key} title={<TabTitleText>{title}</TabTitleText>} />
        ))}
      </Tabs>
      <CodeBlock
        actions={
          <CodeBlockAction>
            <ClipboardCopyButton
              id={id}
              aria-label={text.common.copy}
              variant="plain"
              onTooltipHidden={() => setCopied(false)}
              onClick={() => {
                void navigator.clipboard.writeText(shown.lines);
                setCopied(true);
              }}
            >
              {copied ? text.common.copied : text.common.copy}
            </ClipboardCopyButton>
          </CodeBlockAction>
        }
      >
        <CodeBlockCode {...{ [attribute]: shown.key }}>{shown.lines}</CodeBlockCode>
      </CodeBlock>
    </>
  );
}
