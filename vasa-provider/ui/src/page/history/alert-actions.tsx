import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../../api/call';
import { send } from '../../api/send';
import { ActionButton } from '../../kit/action-button';
import { Ask } from '../../kit/ask';
import { TextField } from '../../kit/field';
import { TimeField } from '../../kit/time-field';
import { toast } from '../../kit/toasts';
import { useText } from '../../text/preferences';
import type { AlertView } from './entry';

/** What can be asked before an alert is changed. */
export type AlertQuestion = 'acknowledge' | 'mute';

const EIGHT_HOURS_MILLIS = 8 * 3_600_000;

/** The buttons of an alert. */
export function AlertActions(props: { alert: AlertView; ask: (question: AlertQuestion) => void }) {
  const { alert, ask } = props;
  const text = useText();
  const t = text.history;
  const changed = useChanged();
  const over = alert.state === 'resolved' ? t.alertIsOver : undefined;

  async function unmute(): Promise<void> {
    try {
      await send(call('POST /alerts/{id}/unmute', { path: { id: alert.id } }));
      toast('success', t.isUnmuted);
      changed();
    } catch (e) {
      toast('danger', e instanceof Error ? e.message : String(e));
    }
  }

  return (
    <>
      <ActionButton
        operation="POST /alerts/{id}/acknowledge"
        reason={over}
        onClick={() => ask('acknowledge')}
      >
        {t.acknowledge}
      </ActionButton>
      {alert.mutedUntil === null ? (
        <ActionButton
          operation="POST /alerts/{id}/mute"
          variant="secondary"
          reason={over}
          onClick={() => ask('mute')}
        >
          {t.mute}
        </ActionButton>
      ) : (
        <ActionButton
          operation="POST /alerts/{id}/unmute"
          variant="secondary"
          onClick={() => void unmute()}
        >
          {t.unmute}
        </ActionButton>
      )}
    </>
  );
}

/** The form of a question. */
export function AskAboutAlert(props: {
  question: AlertQuestion;
  alert: AlertView;
  close: () => void;
}) {
  const { question, alert, close } = props;
  return question === 'acknowledge' ? (
    <Acknowledge alert={alert} close={close} />
  ) : (
    <Mute alert={alert} close={close} />
  );
}

function Acknowledge({ alert, close }: { alert: AlertView; close: () => void }) {
  const text = useText();
  const t = text.history;
  const changed = useChanged();
  const [note, setNote] = useState('');
  const wanted = call('POST /alerts/{id}/acknowledge', {
    path: { id: alert.id },
    ...(note.trim() === '' ? {} : { body: { note: note.trim() } }),
  });
  return (
    <Ask
      title={t.acknowledgeTitle}
      action={t.acknowledge}
      wanted={wanted}
      run={() => send(wanted)}
      done={() => {
        toast('success', t.isAcknowledged);
        changed();
        close();
      }}
      close={close}
    >
      <p lang="en">{alert.cause}</p>
      <TextField label={t.note} help={t.noteHelp} value={note} set={setNote} />
    </Ask>
  );
}

function Mute({ alert, close }: { alert: AlertView; close: () => void }) {
  const text = useText();
  const t = text.history;
  const changed = useChanged();
  const [until, setUntil] = useState(() => new Date(Date.now() + EIGHT_HOURS_MILLIS).toISOString());
  const wanted =
    until === ''
      ? undefined
      : call('POST /alerts/{id}/mute', { path: { id: alert.id }, body: { until } });
  return (
    <Ask
      title={t.muteTitle}
      action={t.mute}
      wanted={wanted}
      waits={wanted === undefined}
      run={() => send(wanted!)}
      done={() => {
        toast('success', t.isMuted);
        changed();
        close();
      }}
      close={close}
    >
      <p lang="en">{alert.cause}</p>
      <TimeField label={t.mutedUntil} help={t.muteText} isRequired value={until} set={setUntil} />
    </Ask>
  );
}

/** Reads anew what shows alerts: the event of the change comes, too, but not while the database is away. */
function useChanged(): () => void {
  const queries = useQueryClient();
  return () => {
    void queries.invalidateQueries({ queryKey: ['alerts'] });
    void queries.invalidateQueries({ queryKey: ['events'] });
  };
}
