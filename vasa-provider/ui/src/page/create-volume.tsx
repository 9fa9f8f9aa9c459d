import {
  Alert,
  Button,
  Form,
  FormGroup,
  FormHelperText,
  FormSelect,
  FormSelectOption,
  HelperText,
  HelperTextItem,
  Modal,
  ModalBody,
  ModalFooter,
  ModalHeader,
  TextInput,
} from '@patternfly/react-core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { call, type Call, type Output } from '../api/call';
import { send } from '../api/send';
import { Commands } from '../kit/commands';
import { ProblemAlert } from '../kit/problem-alert';
import { toast } from '../kit/toasts';
import { parseSize } from '../text/format';
import { useFormat, useText } from '../text/preferences';

const FORM = 'create-volume';
const DEFAULT = '';
const MOST_SHOWN = 1000;

/** The form for a new volume. */
export function CreateVolume({ close }: { close: () => void }) {
  const text = useText();
  const format = useFormat();
  const [name, setName] = useState('');
  const [size, setSize] = useState('10 GiB');
  const [container, setContainer] = useState('');
  const [policy, setPolicy] = useState(DEFAULT);
  const containers = useQuery({
    queryKey: ['containers', 'names'],
    queryFn: ({ signal }) =>
      send(call('GET /containers', { query: { limit: MOST_SHOWN, sort: 'name' } }), signal),
  });
  const policies = useQuery({
    queryKey: ['policies', 'names'],
    queryFn: ({ signal }) =>
      send(call('GET /policies', { query: { limit: MOST_SHOWN, sort: 'name' } }), signal),
  });
  const chosen = container || (containers.data?.items[0]?.id ?? '');
  const bytes = parseSize(size);
  const isWhole = name.trim() !== '' && bytes !== undefined && chosen !== '';
  const wanted = isWhole
    ? call('POST /volumes', {
        body: {
          name,
          size: bytes,
          container: chosen,
          ...(policy === DEFAULT ? {} : { policy }),
        },
      })
    : undefined;
  const creation = useMutation({
    mutationFn: (wanted: Call<Output<'POST /volumes'>>) => send(wanted),
    onSuccess: () => {
      toast('success', text.volumes.created_(name));
      close();
    },
  });
  return (
    <Modal isOpen variant="medium" onClose={close} aria-labelledby={`${FORM}-title`}>
      <ModalHeader title={text.volumes.create} labelId={`${FORM}-title`} />
      <ModalBody>
        <Form
          id={FORM}
          onSubmit={(event) => {
            event.preventDefault();
            if (wanted !== undefined) {
              creation.mutate(wanted);
            }
          }}
        >
          {creation.isError && <ProblemAlert error={creation.error} />}
          {containers.isError && <ProblemAlert error={containers.error} />}
          {containers.data?.items.length === 0 && (
            <Alert isInline variant="info" title={text.volumes.noContainer} />
          )}
          <FormGroup label={text.volumes.name} fieldId={`${FORM}-name`} isRequired>
            <TextInput
              id={`${FORM}-name`}
              value={name}
              isRequired
              autoFocus
              maxLength={80}
              onChange={(_, value) => setName(value)}
            />
          </FormGroup>
          <FormGroup label={text.volumes.size} fieldId={`${FORM}-size`} isRequired>
            <TextInput
              id={`${FORM}-size`}
              value={size}
              isRequired
              validated={bytes === undefined ? 'error' : 'default'}
              aria-describedby={`${FORM}-size-help`}
              onChange={(_, value) => setSize(value)}
            />
            <FormHelperText>
              <HelperText id={`${FORM}-size-help`}>
                <HelperTextItem variant={bytes === undefined ? 'error' : 'default'}>
                  {bytes === undefined ? text.volumes.sizeWrong : format.bytes(bytes)}
                </HelperTextItem>
              </HelperText>
            </FormHelperText>
          </FormGroup>
          <FormGroup label={text.volumes.container} fieldId={`${FORM}-container`} isRequired>
            <FormSelect
              id={`${FORM}-container`}
              value={chosen}
              onChange={(_, value) => setContainer(value)}
            >
              {containers.data?.items.map((one) => (
                <FormSelectOption
                  key={one.id}
                  value={one.id}
                  label={`${one.name} (${format.bytes(one.free)} ${text.overview.free})`}
                />
              ))}
            </FormSelect>
          </FormGroup>
          <FormGroup label={text.volumes.policy} fieldId={`${FORM}-policy`}>
            <FormSelect
              id={`${FORM}-policy`}
              value={policy}
              onChange={(_, value) => setPolicy(value)}
            >
              <FormSelectOption value={DEFAULT} label={text.volumes.defaultPolicy} />
              {policies.data?.items.map((one) => (
                <FormSelectOption key={one.id} value={one.id} label={one.name} />
              ))}
            </FormSelect>
          </FormGroup>
        </Form>
        <Commands call={wanted} />
      </ModalBody>
      <ModalFooter>
        <Button
          type="submit"
          form={FORM}
          isDisabled={!isWhole || creation.isPending}
          isLoading={creation.isPending}
        >
          {text.volumes.create}
        </Button>
        <Button variant="link" onClick={close}>
          {text.common.cancel}
        </Button>
      </ModalFooter>
    </Modal>
  );
}
