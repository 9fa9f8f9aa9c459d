import {
  ClipboardCopyButton,
  CodeBlock,
  CodeBlockAction,
  CodeBlockCode,
} from '@patternfly/react-core';
import { useId, useState } from 'react';
import { useText } from '../text/preferences';

interface Props {
  label: string;
  lines: string;
  /** What tells a test which lines they are; none: `data-lines` with the label. */
  mark?: Record<`data-${string}`, string>;
}

/** Lines to be copied, such as a command. */
export function CopyLines({ label, lines, mark = { 'data-lines': label } }: Props) {
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
      <CodeBlockCode {...mark}>{lines}</CodeBlockCode>
    </CodeBlock>
  );
}
