import {
  ActionGroup,
  Button,
  Content,
  Form,
  FormGroup,
  TextInput,
  Title,
} from '@patternfly/react-core';
import { type FormEvent, useState } from 'react';
import type { ProblemError } from '../api/problem';
import { findSession, login, makeFirstAccount } from '../api/session';
import { ProblemAlert } from '../kit/problem-alert';
import { useText } from '../text/preferences';
import { LoginForm } from './login-form';

/** What is shown before somebody has logged in. */
export function LoginPage({ why }: { why: ProblemError | null }) {
  const text = useText();
  const [first, setFirst] = useState(false);
  return (
    <main className="c-login">
      <Title headingLevel="h1">{first ? text.login.firstTitle : text.login.title}</Title>
      <br />
      {why !== null && <ProblemAlert error={why} retry={() => void findSession()} />}
      {first ? <FirstLogin /> : <LoginForm />}
      <br />
      <Button variant="link" isInline onClick={() => setFirst(!first)}>
        {first ? text.login.backLink : text.login.firstLink}
      </Button>
    </main>
  );
}

/** The first account, made with the token that lies in the home of the provider. */
function FirstLogin() {
  const text = useText();
  const [token, setToken] = useState('');
  const [name, setName] = useState('');
  const [password, setPassword] = useState('');
  const [error, setError] = useState<unknown>(null);
  const [busy, setBusy] = useState(false);

  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault();
    setBusy(true);
    setError(null);
    try {
      await makeFirstAccount(token.trim(), name, password);
      await login(name, password, 'local');
    } catch (e) {
      setError(e);
      setBusy(false);
    }
  }

  return (
    <Form onSubmit={(event) => void submit(event)}>
      <Content component="p">{text.login.firstText}</Content>
      {error !== null && <ProblemAlert error={error} />}
      <FormGroup label={text.login.token} fieldId="first-token" isRequired>
        <TextInput
          id="first-token"
          type="password"
          autoComplete="off"
          isRequired
          value={token}
          onChange={(_, value) => setToken(value)}
        />
      </FormGroup>
      <FormGroup label={text.login.newName} fieldId="first-name" isRequired>
        <TextInput
          id="first-name"
          autoComplete="username"
          isRequired
          value={name}
          onChange={(_, value) => setName(value)}
        />
      </FormGroup>
      <FormGroup label={text.login.newPassword} fieldId="first-password" isRequired>
        <TextInput
          id="first-password"
          type="password"
          autoComplete="new-password"
          isRequired
          value={password}
          onChange={(_, value) => setPassword(value)}
        />
      </FormGroup>
      <ActionGroup>
        <Button
          type="submit"
          isLoading={busy}
          isDisabled={busy || token === '' || name === '' || password === ''}
        >
          {text.login.make}
        </Button>
      </ActionGroup>
    </Form>
  );
}
