import {
  ClipboardCopyButton,
  CodeBlock,
  CodeBlockAction,
  CodeBlockCode,
  Tab,
  Tabs,
  TabTitleText,
} from '@patternfly/react-core';
import { useState } from 'react';
import type { components } from '../../generated/api';
import { useText } from '../../text/preferences';

const SYSTEMS = { linux: 'Linux', esxi: 'ESXi', proxmox: 'Proxmox', windows: 'Windows' } as const;

/** The lines by which a host attaches an export, for each system. */
export function AttachLines({ commands }: { commands: components['schemas']['AttachCommands'] }) {
  const text = useText();
  const [system, setSystem] = useState<keyof typeof SYSTEMS>('linux');
  const [copied, setCopied] = useState(false);
  const lines = commands[system].join('\n');
  return (
    <>
      <Tabs
        aria-label={text.hosts.lines}
        activeKey={system}
        onSelect={(_, key) => {
          setSystem(key as keyof typeof SYSTEMS);
          setCopied(false);
        }}
      >
        {Object.entries(SYSTEMS).map(([key, title]) => (
          <Tab key={key} eventKey={key} title={<TabTitleText>{title}</TabTitleText>} />
        ))}
      </Tabs>
      <CodeBlock
        actions={
          <CodeBlockAction>
            <ClipboardCopyButton
              id="copy-lines"
              aria-label={text.common.copy}
              variant="plain"
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
        <CodeBlockCode data-system={system}>{lines}</CodeBlockCode>
      </CodeBlock>
    </>
  );
}
