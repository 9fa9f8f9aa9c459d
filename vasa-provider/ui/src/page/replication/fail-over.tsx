import { Alert, Checkbox, Content } from '@patternfly/react-core';
import { useId, useState } from 'react';
import { call } from '../../api/call';
import { send } from '../../api/send';
import { Ask } from '../../kit/ask';
import { toast } from '../../kit/toasts';
import { useFormat, useText } from '../../text/preferences';
import { CheckResult, useCheck } from './checked';
import { lossSentence } from './lag';
import { NEWEST, ReplicaChoice } from './replica-choice';
import { type Group, type Replica, useReadAgain } from './replication';

interface Props {
  group: Group;
  peer: string;
  /** The newest first. */
  replicas: readonly Replica[];
  /** The id of the replica that it begins with; none: the newest one. */
  replica?: string | undefined;
  close: () => void;
}

/** The way to a fail-over: what is lost by it, whether it could be done, and then the question. */
export function FailOver({ group, peer, replicas, replica, close }: Props) {
  const text = useText();
  const format = useFormat();
  const t = text.replication.failOver;
  const readAgain = useReadAgain();
  const checkbox = useId();
  const [chosen, setChosen] = useState(replica ?? NEWEST);
  const [planned, setPlanned] = useState(false);
  const path = { id: group.id };
  const body = {
    ...(chosen === NEWEST ? {} : { replica: chosen }),
    ...(planned ? { planned } : {}),
  };
  const check = useCheck(
    call('POST /replication/groups/{id}/fail-over', { path, body: { ...body, checkOnly: true } }),
  );
  const wanted = call('POST /replication/groups/{id}/fail-over', { path, body });
  const taken = chosen === NEWEST ? group.newest : replicas.find(({ id }) => id === chosen)?.taken;
  const loss = lossSentence(taken ?? undefined, group, text, format);
  return (
    <Ask
      title={t.title(group.name)}
      action={t.action}
      danger
      wanted={wanted}
      waits={!check.isSuccess || check.isFetching}
      run={() => send(wanted)}
      done={() => {
        toast('success', t.done(group.name));
        readAgain();
        close();
      }}
      close={close}
    >
      <Alert
        isInline
        variant={planned ? 'info' : 'warning'}
        component="p"
        title={planned ? t.lostNothing : (loss ?? t.none)}
        data-loss={planned ? 'none' : (taken ?? '')}
      />
      <ReplicaChoice replicas={replicas} value={chosen} set={setChosen} />
      <Checkbox
        id={checkbox}
        label={t.planned}
        isChecked={planned}
        onChange={(_, checked) => setPlanned(checked)}
      />
      <Content component="p">{planned ? t.plannedText(peer) : t.text(peer)}</Content>
      <CheckResult check={check} />
    </Ask>
  );
}

/** The question before a replica is shown as volumes for a test. */
export function StartTest({ group, replicas, replica, close }: Omit<Props, 'peer'>) {
  const t = useText().replication;
  const readAgain = useReadAgain();
  const [chosen, setChosen] = useState(replica ?? NEWEST);
  const path = { id: group.id };
  const body = chosen === NEWEST ? {} : { replica: chosen };
  const check = useCheck(
    call('POST /replication/groups/{id}/test', { path, body: { ...body, checkOnly: true } }),
  );
  const wanted = call('POST /replication/groups/{id}/test', { path, body });
  return (
    <Ask
      title={t.test.title(group.name)}
      action={t.actions.test}
      wanted={wanted}
      waits={!check.isSuccess || check.isFetching}
      run={() => send(wanted)}
      done={() => {
        toast('success', t.test.done(group.name));
        readAgain();
        close();
      }}
      close={close}
    >
      <ReplicaChoice replicas={replicas} value={chosen} set={setChosen} />
      <Content component="p">{t.test.text}</Content>
      <CheckResult check={check} />
    </Ask>
  );
}
