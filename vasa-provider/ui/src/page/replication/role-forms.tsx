import { Content } from '@patternfly/react-core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { call, type Call } from '../../api/call';
import { send } from '../../api/send';
import { Ask } from '../../kit/ask';
import { TextField } from '../../kit/field';
import { toast } from '../../kit/toasts';
import type { Text } from '../../text/en';
import { useText } from '../../text/preferences';
import { tagsOf } from './pairing';
import { type Group, KEYS, useReadAgain } from './replication';
import { type Action, receives } from './state';

const LONGEST_NAME = 80;

interface Props {
  group: Group;
  peer: string;
  close: () => void;
}

/** The form that runs a cycle now. */
export function Synchronize({ group, close }: Omit<Props, 'peer'>) {
  const text = useText();
  const t = text.replication.synchronize;
  const readAgain = useReadAgain();
  const [name, setName] = useState('');
  const [tags, setTags] = useState('');
  const all = tagsOf(tags);
  const wanted = call('POST /replication/groups/{id}/synchronize', {
    path: { id: group.id },
    body: {
      ...(name.trim() === '' ? {} : { name: name.trim() }),
      ...(all.length === 0 ? {} : { tags: all }),
    },
  });
  return (
    <Ask
      title={t.title(group.name)}
      action={text.replication.actions.synchronize}
      wanted={wanted}
      run={() => send(wanted)}
      done={() => {
        toast('success', t.done(group.name));
        readAgain();
        close();
      }}
      close={close}
    >
      <Content component="p">{t.text}</Content>
      <TextField label={t.name} maxLength={LONGEST_NAME} value={name} set={setName} />
      <TextField label={t.tags} help={t.tagsHelp} value={tags} set={setTags} />
    </Ask>
  );
}

/** The actions that ask one question and have nothing to choose. */
export type PlainAction = Extract<
  Action,
  'prepare' | 'pause' | 'resume' | 'endTest' | 'promote' | 'reverse' | 'remove'
>;

const DANGEROUS: ReadonlySet<PlainAction> = new Set(['prepare', 'endTest', 'promote', 'reverse', 'remove']);

/**
 * The question before an action.
 *
 * @param props `gone` is called once the group is not there any more
 */
export function AskFor(props: Props & { action: PlainAction; gone: () => void }) {
  const { action, group, peer, gone, close } = props;
  const text = useText();
  const t = text.replication;
  const queries = useQueryClient();
  const readAgain = useReadAgain();
  const wanted = callOf(action, group.id);
  return (
    <Ask
      title={t[action].title(group.name)}
      action={t.actions[action]}
      danger={DANGEROUS.has(action)}
      wanted={wanted}
      run={() => send(wanted)}
      done={() => {
        toast('success', t[action].done(group.name, peer));
        close();
        if (action === 'remove') {
          gone(); // what is not there any more is not read again
          void queries.invalidateQueries({ queryKey: KEYS.groups });
        } else {
          readAgain();
        }
      }}
      close={close}
    >
      {sentences(action, group, peer, text).map((sentence) => (
        <Content key={sentence} component="p">
          {sentence}
        </Content>
      ))}
    </Ask>
  );
}

function callOf(action: PlainAction, id: string): Call {
  const path = { id };
  switch (action) {
    case 'prepare':
      return call('POST /replication/groups/{id}/prepare', { path });
    case 'pause':
    case 'resume':
      return call('PATCH /replication/groups/{id}', { path, body: { paused: action === 'pause' } });
    case 'endTest':
      return call('DELETE /replication/groups/{id}/test', { path });
    case 'promote':
      return call('POST /replication/groups/{id}/promote', { path });
    case 'reverse':
      return call('POST /replication/groups/{id}/reverse', { path });
    case 'remove':
      return call('DELETE /replication/groups/{id}', { path });
  }
}

/** What an action does, in sentences. */
function sentences(action: PlainAction, { state }: Group, peer: string, text: Text): string[] {
  const t = text.replication;
  switch (action) {
    case 'prepare':
      return [t.prepare.text(peer), t.prepare.use];
    case 'reverse':
      return [
        t.reverse.text(peer),
        state === 'PREPARED' ? t.reverse.goesOn(peer) : t.reverse.kept(peer),
      ];
    case 'remove':
      return receives(state) ? [t.remove.text, t.remove.target] : [t.remove.text];
    default:
      return [t[action].text];
  }
}
