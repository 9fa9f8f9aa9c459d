import {
  ClipboardCopyButton,
  CodeBlock,
  CodeBlockAction,
  CodeBlockCode,
} from '@patternfly/react-core';
import { useId, useState } from 'react';
import { useText } from '../text/preferences';

/** Lines to be copied, such as a command. */
export function CopyLines({ label, lines }: { label: string; lines: string }) {
  const text = useText();
  const id = useId();
  const [copied, setCopied] = useState(false);
  return (
    <CodeBlock
      actions={
        <CodeBlockAction>
          <ClipboardCopyButton
            id={id}
            aria-label={`${text.common.copy}: ${label}`}
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
      <CodeBlockCode data-lines={label}>{lines}</CodeBlockCode>
    </CodeBlock>
  );
}
