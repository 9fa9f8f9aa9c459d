import {
  Alert,
  Checkbox,
  Content,
  Form,
  FormGroup,
  FormHelperText,
  FormSelect,
  FormSelectOption,
  HelperText,
  HelperTextItem,
  Radio,
  TextArea,
  TextInput,
} from '@patternfly/react-core';
import type { Output } from '../../api/call';
import { useRefusal } from '../../kit/action-button';
import { parseSize } from '../../text/format';
import { useFormat, useText } from '../../text/preferences';
import type { Typed } from './host-wizard';
import { type Host, hostName } from './host-table';
import { isSecret, parseInitiators } from './wizard-plan';

interface StepProps {
  typed: Typed;
  change: (part: Partial<Typed>) => void;
}

export function HostStep({ typed, change, hosts }: StepProps & { hosts: readonly Host[] }) {
  const text = useText();
  const t = text.hosts.wizard;
  const isWrong = typed.initiators !== '' && parseInitiators(typed.initiators) === undefined;
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
        <>
          <FormGroup label={t.hostName} fieldId="host-name" isRequired>
            <TextInput
              id="host-name"
              value={typed.hostName}
              isRequired
              onChange={(_, hostName) => change({ hostName })}
            />
          </FormGroup>
          <FormGroup label={t.initiators} fieldId="host-initiators" isRequired>
            <TextArea
              id="host-initiators"
              value={typed.initiators}
              isRequired
              validated={isWrong ? 'error' : 'default'}
              aria-describedby="host-initiators-help"
              onChange={(_, initiators) => change({ initiators })}
            />
            <FormHelperText>
              <HelperText id="host-initiators-help">
                <HelperTextItem variant={isWrong ? 'error' : 'default'}>
                  {isWrong ? t.initiatorsWrong : t.initiatorsHelp}
                </HelperTextItem>
              </HelperText>
            </FormHelperText>
          </FormGroup>
        </>
      ) : (
        <FormGroup label={t.host} fieldId="host-choice">
          <FormSelect
            id="host-choice"
            value={typed.host}
            onChange={(_, host) => change({ host })}
          >
            {hosts.map((host) => (
              <FormSelectOption key={host.id} value={host.id} label={hostName(host)} />
            ))}
          </FormSelect>
        </FormGroup>
      )}
    </Form>
  );
}

export function SecretStep({ typed, change }: StepProps) {
  const text = useText();
  const t = text.hosts.wizard;
  const refusal = useRefusal('PUT /initiators/{name}/chap');
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
        <FormGroup label={t.secretOf} fieldId="chap-secret" isRequired>
          <TextInput
            id="chap-secret"
            type="password"
            autoComplete="off"
            value={typed.secret}
            isRequired
            validated={typed.secret === '' || isSecret(typed.secret) ? 'default' : 'error'}
            aria-describedby="chap-secret-help"
            onChange={(_, secret) => change({ secret })}
          />
          <FormHelperText>
            <HelperText id="chap-secret-help">
              <HelperTextItem>{t.secretHelp}</HelperTextItem>
            </HelperText>
          </FormHelperText>
        </FormGroup>
      )}
    </Form>
  );
}

interface DiskProps extends StepProps {
  volumes: Output<'GET /volumes'>['items'];
  containers: Output<'GET /containers'>['items'];
}

export function DiskStep({ typed, change, volumes, containers }: DiskProps) {
  const text = useText();
  const format = useFormat();
  const t = text.hosts.wizard;
  const bytes = parseSize(typed.size);
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
          {containers.length === 0 && (
            <Alert isInline variant="info" title={text.volumes.noContainer} component="p" />
          )}
          <FormGroup label={text.volumes.name} fieldId="disk-name" isRequired>
            <TextInput
              id="disk-name"
              value={typed.diskName}
              isRequired
              maxLength={80}
              onChange={(_, diskName) => change({ diskName })}
            />
          </FormGroup>
          <FormGroup label={text.volumes.size} fieldId="disk-size" isRequired>
            <TextInput
              id="disk-size"
              value={typed.size}
              isRequired
              validated={bytes === undefined ? 'error' : 'default'}
              aria-describedby="disk-size-help"
              onChange={(_, size) => change({ size })}
            />
            <FormHelperText>
              <HelperText id="disk-size-help">
                <HelperTextItem variant={bytes === undefined ? 'error' : 'default'}>
                  {bytes === undefined ? text.volumes.sizeWrong : format.bytes(bytes)}
                </HelperTextItem>
              </HelperText>
            </FormHelperText>
          </FormGroup>
          <FormGroup label={text.volumes.container} fieldId="disk-container" isRequired>
            <FormSelect
              id="disk-container"
              value={typed.container}
              onChange={(_, container) => change({ container })}
            >
              {containers.map((one) => (
                <FormSelectOption key={one.id} value={one.id} label={one.name} />
              ))}
            </FormSelect>
          </FormGroup>
        </>
      ) : (
        <FormGroup label={t.disk} fieldId="disk-choice">
          <FormSelect id="disk-choice" value={typed.disk} onChange={(_, disk) => change({ disk })}>
            {volumes.map((one) => (
              <FormSelectOption
                key={one.id}
                value={one.id}
                label={`${one.name ?? one.id} (${format.bytes(one.size)})`}
              />
            ))}
          </FormSelect>
        </FormGroup>
      )}
    </Form>
  );
}
