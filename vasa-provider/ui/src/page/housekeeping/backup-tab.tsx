import { Card, CardBody, CardTitle, Content } from '@patternfly/react-core';
import { CopyLines } from '../../kit/copy-lines';
import { useText } from '../../text/preferences';

/** Commands for the machine of the provider: what they are for, to be copied. */
export function BackupTab() {
  const text = useText();
  const t = text.housekeeping.backup;
  const tools = [
    { title: t.backup, explained: t.backupText, line: './coppice backup FILE' },
    { title: t.restore, explained: t.restoreText, line: './coppice restore FILE' },
    { title: t.bundle, explained: t.bundleText, line: './coppice support-bundle FILE' },
    { title: t.doctor, explained: t.doctorText, line: './coppice doctor' },
  ];
  return (
    <>
      <Content component="p">{t.text}</Content>
      <div className="c-cards">
        {tools.map(({ title, explained, line }) => (
          <Card key={title} isFullHeight>
            <CardTitle component="h2">{title}</CardTitle>
            <CardBody>
              <Content component="p">{explained}</Content>
              <CopyLines label={title} lines={line} />
            </CardBody>
          </Card>
        ))}
      </div>
    </>
  );
}
