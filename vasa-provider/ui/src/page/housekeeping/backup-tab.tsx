import { Card, CardBody, CardTitle, Content } from '@patternfly/react-core';
import type { ReactNode } from 'react';
import { CopyLines } from '../../kit/copy-lines';
import { useText } from '../../text/preferences';
import { MakeBundle } from './make-bundle';

interface Tool {
  title: string;
  explained: string;
  line: string;
  /** What does the same from here. */
  button?: ReactNode;
}

/** Commands for the machine of the provider: what they are for, to be copied. */
export function BackupTab() {
  const text = useText();
  const t = text.housekeeping.backup;
  const tools: Tool[] = [
    { title: t.backup, explained: t.backupText, line: './coppice backup FILE' },
    { title: t.restore, explained: t.restoreText, line: './coppice restore FILE' },
    {
      title: t.bundle,
      explained: t.bundleText,
      line: './coppice support-bundle FILE',
      button: <MakeBundle />,
    },
    { title: t.doctor, explained: t.doctorText, line: './coppice doctor' },
  ];
  return (
    <>
      <Content component="p">{t.text}</Content>
      <div className="c-cards">
        {tools.map(({ title, explained, line, button }) => (
          <Card key={title} isFullHeight>
            <CardTitle component="h2">{title}</CardTitle>
            <CardBody>
              <Content component="p">{explained}</Content>
              {button !== undefined && <p>{button}</p>}
              <CopyLines label={title} lines={line} />
            </CardBody>
          </Card>
        ))}
      </div>
    </>
  );
}
