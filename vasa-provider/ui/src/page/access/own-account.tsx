import { Card, CardBody, CardFooter, CardTitle } from '@patternfly/react-core';
import { useState } from 'react';
import { call } from '../../api/call';
import { send } from '../../api/send';
import { ActionButton } from '../../kit/action-button';
import { Ask } from '../../kit/ask';
import { Facts } from '../../kit/facts';
import { TextField } from '../../kit/field';
import { Time } from '../../kit/figure';
import { given } from '../../kit/given';
import { toast } from '../../kit/toasts';
import { useText } from '../../text/preferences';
import { useOwn } from './own';
import { namesOf, useContainerChoices } from './role-fields';

const LOCAL = 'local';
const SHORTEST_PASSWORD = 12;

/** Whether a text can be a password, as far as its length goes. */
export function isPassword(text: string): boolean {
  return text.length >= SHORTEST_PASSWORD;
}

/** Who is logged in, and the own password. */
export function OwnAccount() {
  const text = useText();
  const t = text.access;
  const own = useOwn();
  const containers = useContainerChoices();
  const [asked, ask] = useState(false);
  if (own === undefined) {
    return null;
  }
  return (
    <Card>
      <CardTitle component="h2">{t.own.title}</CardTitle>
      <CardBody>
        <Facts
          of={given([
            [t.name, own.name],
            [t.role, t.roles[own.role]],
            [t.containers, namesOf(own.containers, containers)],
            [t.own.source, own.source === LOCAL ? t.own.local : own.source],
            [t.own.ends, <Time at={own.ends} />],
            [t.own.atLatest, <Time at={own.endsAtLatest} />],
          ])}
        />
      </CardBody>
      <CardFooter>
        <ActionButton
          operation="PUT /me/password"
          reason={own.source === LOCAL ? undefined : t.own.elsewhere(own.source)}
          onClick={() => ask(true)}
        >
          {t.own.change}
        </ActionButton>
      </CardFooter>
      {asked && <ChangePassword close={() => ask(false)} />}
    </Card>
  );
}

function ChangePassword({ close }: { close: () => void }) {
  const text = useText();
  const t = text.access;
  const [currentPassword, setCurrent] = useState('');
  const [password, setPassword] = useState('');
  const [again, setAgain] = useState('');
  const wanted =
    currentPassword !== '' && isPassword(password) && password === again
      ? call('PUT /me/password', { body: { currentPassword, password } })
      : undefined;
  return (
    <Ask
      title={t.own.change}
      wanted={wanted}
      waits={wanted === undefined}
      run={() => send(wanted!)}
      done={() => {
        toast('success', t.own.changed);
        close();
      }}
      close={close}
    >
      <p>{t.own.text}</p>
      <TextField
        label={t.own.now}
        isRequired
        type="password"
        autoComplete="current-password"
        value={currentPassword}
        set={setCurrent}
      />
      <TextField
        label={t.own.new}
        help={t.account.passwordHelp}
        isRequired
        type="password"
        autoComplete="new-password"
        value={password}
        set={setPassword}
      />
      <TextField
        label={t.own.again}
        wrong={again === '' || again === password ? undefined : t.own.differs}
        isRequired
        type="password"
        autoComplete="new-password"
        value={again}
        set={setAgain}
      />
    </Ask>
  );
}
