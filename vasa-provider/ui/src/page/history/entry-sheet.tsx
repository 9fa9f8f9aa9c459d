import { Divider } from '@patternfly/react-core';
import { useState } from 'react';
import { Sheet } from '../../kit/sheet';
import { useText } from '../../text/preferences';
import { AlertActions, type AlertQuestion, AskAboutAlert } from './alert-actions';
import { Details } from './details';
import { keyOf } from './entry';
import { type Happening, headOf } from './happening';

/** All that is known of a row: its entry, and what else the same call has left. */
export function EntrySheet({ row, close }: { row: Happening; close: () => void }) {
  const text = useText();
  const t = text.history;
  const [question, ask] = useState<AlertQuestion | undefined>();
  const head = headOf(row);
  const others = row.entries.filter((entry) => entry !== head);
  if (head.kind === 'alert' && question !== undefined) {
    return <AskAboutAlert question={question} alert={head.alert} close={() => ask(undefined)} />;
  }
  return (
    <Sheet
      title={t.kinds[head.kind]}
      close={close}
      actions={head.kind === 'alert' && <AlertActions alert={head.alert} ask={ask} />}
    >
      <Details entry={head} />
      {others.length > 0 && <h3>{t.others}</h3>}
      {others.map((entry) => (
        <section key={keyOf(entry)} aria-label={t.kinds[entry.kind]}>
          <Divider />
          <Details entry={entry} />
        </section>
      ))}
    </Sheet>
  );
}
