import {
  ActionGroup,
  Alert,
  Button,
  Form,
  FormGroup,
  FormSelect,
  FormSelectOption,
  TextInput,
} from '@patternfly/react-core';
import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { login, loginSources } from '../api/session';
import { ProblemAlert } from '../kit/problem-alert';
import { useText } from '../text/preferences';

const ANY = '';

/** Name and password, and the login servers that take neither here. */
export function LoginForm({ name: known }: { name?: string }) {
  const text = useText();
  const sources = useQuery({ queryKey: ['login-sources'], queryFn: loginSources });
  const [name, setName] = useState(known ?? '');
  const [password, setPassword] = useState('');
  const [source, setSource] = useState(ANY);
  const [error, setError] = useState<unknown>(null);
  const [busy, setBusy] = useState(false);
  const byPassword = sources.data?.filter((one) => one.kind === 'password') ?? [];
  const byBrowser = sources.data?.filter((one) => one.kind === 'browser') ?? [];

  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault();
    setBusy(true);
    setError(null);
    try {
      await login(name, password, source === ANY ? null : source);
    } catch (e) {
      setError(e);
    } finally {
      setPassword('');
      setBusy(false);
    }
  }

  return (
    <Form onSubmit={(event) => void submit(event)}>
      {error !== null && <ProblemAlert error={error} />}
      {sources.isError && <Alert isInline variant="warning" title={text.problem.unreachable} />}
      <FormGroup label={text.login.name} fieldId="login-name" isRequired>
        <TextInput
          id="login-name"
          value={name}
          isRequired
          autoComplete="username"
          autoFocus={known === undefined}
          readOnlyVariant={known === undefined ? undefined : 'default'}
          onChange={(_, value) => setName(value)}
        />
      </FormGroup>
      <FormGroup label={text.login.password} fieldId="login-password" isRequired>
        <TextInput
          id="login-password"
          type="password"
          value={password}
          isRequired
          autoComplete="current-password"
          autoFocus={known !== undefined}
          onChange={(_, value) => setPassword(value)}
        />
      </FormGroup>
      {byPassword.length > 1 && (
        <FormGroup label={text.login.source} fieldId="login-source">
          <FormSelect
            id="login-source"
            value={source}
            onChange={(_, value) => setSource(value)}
          >
            <FormSelectOption value={ANY} label={text.login.anySource} />
            {byPassword.map((one) => (
              <FormSelectOption key={one.name} value={one.name} label={one.name} />
            ))}
          </FormSelect>
        </FormGroup>
      )}
      <ActionGroup>
        <Button type="submit" isDisabled={busy || name === '' || password === ''} isLoading={busy}>
          {text.login.submit}
        </Button>
        {byBrowser.map((one) => (
          <Button
            key={one.name}
            variant="secondary"
            component="a"
            href={`${one.begin}?to=${encodeURIComponent(window.location.pathname + window.location.search)}`}
          >
            {text.login.with(one.name)}
          </Button>
        ))}
      </ActionGroup>
    </Form>
  );
}
