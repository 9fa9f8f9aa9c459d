import { Alert, Checkbox, Content, Form, Radio, TextArea } from '@patternfly/react-core';
import type { Output } from '../../api/call';
import { useRefusal } from '../../kit/action-button';
import { ChoiceField, Field, TextField } from '../../kit/field';
import { useFormat, useText } from '../../text/preferences';
import { ContainerField, NameField, SizeField } from '../volume-fields';
import type { Typed } from './host-wizard';
import { type Host, hostName } from './host-table';
import { isSecret, parseInitiators } from './wizard-plan';

interface StepProps {
  typed: Typed;
  change: (part: Partial<Typed>) => void;
}

/** The step that says which host it is. */
export function HostStep({ typed, change, hosts }: StepProps & { hosts: readonly Host[] }) {
  const text = useText();
  const t = text.hosts.wizard;
  return (
    <Form onSubmit={(event) => event.preventDefault()}>
      <Radio
        id="host-new"
        name="host"
        label={t.newHost}
        isChecked={typed.newHost}
        onChange={() => change({ newHost: true })}
      />
      <Radio
        id="host-known"
        name="host"
        label={t.knownHost}
        isChecked={!typed.newHost}
        isDisabled={hosts.length === 0}
        onChange={() => change({ newHost: false, host: typed.host || (hosts[0]?.id ?? '') })}
      />
      {typed.newHost ? (
        <NewHost typed={typed} change={change} />
      ) : (
        <ChoiceField
          label={t.host}
          value={typed.host}
          set={(host) => change({ host })}
          choices={hosts.map((host) => ({ value: host.id, label: hostName(host) }))}
        />
      )}
    </Form>
  );
}

function NewHost({ typed, change }: StepProps) {
  const text = useText();
  const t = text.hosts.wizard;
  const isWrong = typed.initiators !== '' && parseInitiators(typed.initiators) === undefined;
  return (
    <>
      <TextField
        label={t.hostName}
        value={typed.hostName}
        set={(hostName) => change({ hostName })}
        isRequired
      />
      <Field
        label={t.initiators}
        help={t.initiatorsHelp}
        wrong={isWrong ? t.initiatorsWrong : undefined}
        isRequired
      >
        {(names) => (
          <TextArea
            {...names}
            value={typed.initiators}
            isRequired
            validated={isWrong ? 'error' : 'default'}
            onChange={(_, initiators) => change({ initiators })}
          />
        )}
      </Field>
    </>
  );
}

/** The step that gives the host a secret, if it shall have one. */
export function SecretStep({ typed, change }: StepProps) {
  const text = useText();
  const t = text.hosts.wizard;
  const refusal = useRefusal('PUT /initiators/{name}/chap');
  const isWrong = typed.secret !== '' && !isSecret(typed.secret);
  return (
    <Form onSubmit={(event) => event.preventDefault()}>
      <Content component="p">{t.secretText}</Content>
      {refusal !== undefined && <Alert isInline variant="info" title={refusal} component="p" />}
      <Checkbox
        id="with-secret"
        label={t.withSecret}
        isChecked={typed.withSecret}
        isDisabled={refusal !== undefined}
        onChange={(_, withSecret) => change({ withSecret })}
      />
      {typed.withSecret && (
        <TextField
          label={t.secretOf}
          type="password"
          autoComplete="off"
          value={typed.secret}
          set={(secret) => change({ secret })}
          help={t.secretHelp}
          wrong={isWrong ? t.secretHelp : undefined}
          isRequired
        />
      )}
    </Form>
  );
}

interface DiskProps extends StepProps {
  volumes: Output<'GET /volumes'>['items'];
  containers: Output<'GET /containers'>['items'];
}

/** The step that says which disk it gets. */
export function DiskStep({ typed, change, volumes, containers }: DiskProps) {
  const text = useText();
  const format = useFormat();
  const t = text.hosts.wizard;
  return (
    <Form onSubmit={(event) => event.preventDefault()}>
      <Radio
        id="disk-new"
        name="disk"
        label={t.newDisk}
        isChecked={typed.newDisk}
        onChange={() => change({ newDisk: true })}
      />
      <Radio
        id="disk-known"
        name="disk"
        label={t.knownDisk}
        isChecked={!typed.newDisk}
        isDisabled={volumes.length === 0}
        onChange={() => change({ newDisk: false, disk: typed.disk || (volumes[0]?.id ?? '') })}
      />
      {typed.newDisk ? (
        <>
          <NameField value={typed.diskName} set={(diskName) => change({ diskName })} />
          <SizeField value={typed.size} set={(size) => change({ size })} />
          <ContainerField
            value={typed.container}
            set={(container) => change({ container })}
            containers={containers}
          />
        </>
      ) : (
        <ChoiceField
          label={t.disk}
          value={typed.disk}
          set={(disk) => change({ disk })}
          choices={volumes.map((one) => ({
            value: one.id,
            label: `${one.name ?? one.id} (${format.bytes(one.size)})`,
          }))}
        />
      )}
    </Form>
  );
}
