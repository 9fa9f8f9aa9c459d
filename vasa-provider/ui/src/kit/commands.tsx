import {
  ClipboardCopyButton,
  CodeBlock,
  CodeBlockAction,
  CodeBlockCode,
  ExpandableSection,
  Tab,
  Tabs,
  TabTitleText,
} from '@patternfly/react-core';
import { useState } from 'react';
import type { Call } from '../api/call';
import { useText } from '../text/preferences';
import { ansibleOf } from '../command/ansible';
import { coppiceOf } from '../command/coppice';
import { curlOf } from '../command/curl';

/** What a form would send, as a line of the command line, of curl, and as a task of Ansible. */
export function Commands({ call }: { call: Call | undefined }) {
  const text = useText();
  const [shown, setShown] = useState(0);
  const [copied, setCopied] = useState(false);
  if (call === undefined) {
    return null;
  }
  const forms = [
    { name: text.commands.coppice, lines: coppiceOf(call) },
    { name: text.commands.curl, lines: curlOf(call, window.location.origin) },
    { name: text.commands.ansible, lines: ansibleOf(call, window.location.origin) },
  ].filter((form) => form.lines !== undefined);
  const lines = forms[shown]?.lines ?? '';
  return (
    <ExpandableSection toggleText={text.commands.title}>
      <Tabs
        aria-label={text.commands.title}
        activeKey={shown}
        onSelect={(_, key) => setShown(Number(key))}
      >
        {forms.map((form, i) => (
          <Tab key={form.name} eventKey={i} title={<TabTitleText>{form.name}</TabTitleText>} />
        ))}
      </Tabs>
      <CodeBlock
        actions={
          <CodeBlockAction>
            <ClipboardCopyButton
              id="copy-command"
              aria-label={text.common.copy}
              variant="plain"
              onTooltipHidden={() => setCopied(false)}
              onClick={() => {
                void navigator.clipboard.writeText(lines);
                setCopied(true);
              }}
            >
              {copied ? text.common.copied : text.common.copy}
            </ClipboardCopyButton>
          </CodeBlockAction>
        }
      >
        <CodeBlockCode data-command={forms[shown]?.name}>{lines}</CodeBlockCode>
      </CodeBlock>
    </ExpandableSection>
  );
}
