import { Modal, Wizard, WizardHeader, WizardStep } from '@patternfly/react-core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../../api/call';
import { send } from '../../api/send';
import { parseSize } from '../../text/format';
import { useText } from '../../text/preferences';
import { DiskStep, HostStep, SecretStep } from './wizard-steps';
import { WizardRun } from './wizard-run';
import { isSecret, parseInitiators, type Wanted } from './wizard-plan';

const MOST = 1000;

/** What was typed into the wizard. */
export interface Typed {
  newHost: boolean;
  host: string;
  hostName: string;
  initiators: string;
  withSecret: boolean;
  secret: string;
  newDisk: boolean;
  disk: string;
  diskName: string;
  size: string;
  container: string;
}

const EMPTY: Typed = {
  newHost: true,
  host: '',
  hostName: '',
  initiators: '',
  withSecret: false,
  secret: '',
  newDisk: true,
  disk: '',
  diskName: '',
  size: '10 GiB',
  container: '',
};

/**
 * The way from nothing to a disk that a host has found.
 *
 * @param disk the volume that it begins with, if there is one
 */
export function HostWizard({ disk, close }: { disk?: string; close: () => void }) {
  const text = useText();
  const [typed, setTyped] = useState<Typed>(() =>
    disk === undefined ? EMPTY : { ...EMPTY, newDisk: false, disk },
  );
  const change = (part: Partial<Typed>) => setTyped((before) => ({ ...before, ...part }));
  const hosts = useQuery({
    queryKey: ['hosts', 'names'],
    queryFn: ({ signal }) =>
      send(call('GET /hosts', { query: { limit: MOST, sort: 'name', managedBy: 'admin' } }), signal),
  });
  const containers = useQuery({
    queryKey: ['containers', 'names'],
    queryFn: ({ signal }) =>
      send(call('GET /containers', { query: { limit: MOST, sort: 'name' } }), signal),
  });
  const volumes = useQuery({
    queryKey: ['volumes', 'names'],
    queryFn: ({ signal }) =>
      send(call('GET /volumes', { query: { limit: MOST, sort: 'name' } }), signal),
  });
  const container = typed.container || (containers.data?.items[0]?.id ?? '');
  const known = hosts.data?.items.find((one) => one.id === typed.host);
  const wanted = wantedOf({ ...typed, container });
  const t = text.hosts.wizard;
  return (
    // The wizard's head has the button that closes it.
    <Modal isOpen variant="large" onEscapePress={close} aria-label={t.title}>
      <Wizard
        height={560}
        isVisitRequired
        header={<WizardHeader title={t.title} onClose={close} closeButtonAriaLabel={text.common.close} />}
        onClose={close}
      >
        <WizardStep
          id="host"
          name={t.host}
          footer={footer(hostIsWhole(typed), text.common.cancel, t.next, t.back)}
        >
          <HostStep typed={typed} change={change} hosts={hosts.data?.items ?? []} />
        </WizardStep>
        <WizardStep
          id="secret"
          name={t.secret}
          footer={footer(secretIsWhole(typed), text.common.cancel, t.next, t.back)}
        >
          <SecretStep typed={typed} change={change} />
        </WizardStep>
        <WizardStep
          id="disk"
          name={t.disk}
          footer={footer(wanted !== undefined, text.common.cancel, t.next, t.back)}
        >
          <DiskStep
            typed={{ ...typed, container }}
            change={change}
            volumes={volumes.data?.items.filter((one) => !one.exported) ?? []}
            containers={containers.data?.items ?? []}
          />
        </WizardStep>
        <WizardStep id="run" name={t.run} footer={<></>}>
          {wanted !== undefined && (
            <WizardRun wanted={wanted} initiators={known?.initiators ?? []} close={close} />
          )}
        </WizardStep>
      </Wizard>
    </Modal>
  );
}

function footer(whole: boolean, cancel: string, nextText: string, back: string) {
  return {
    isNextDisabled: !whole,
    nextButtonText: nextText,
    backButtonText: back,
    cancelButtonText: cancel,
  };
}

function hostIsWhole(typed: Typed): boolean {
  return typed.newHost
    ? typed.hostName.trim() !== '' && parseInitiators(typed.initiators) !== undefined
    : typed.host !== '';
}

function secretIsWhole(typed: Typed): boolean {
  return !typed.withSecret || isSecret(typed.secret);
}

/** What is to be done; absent while something is missing. */
function wantedOf(typed: Typed): Wanted | undefined {
  const bytes = parseSize(typed.size);
  const isDisk = typed.newDisk
    ? typed.diskName.trim() !== '' && bytes !== undefined && typed.container !== ''
    : typed.disk !== '';
  if (!hostIsWhole(typed) || !secretIsWhole(typed) || !isDisk) {
    return undefined;
  }
  return {
    host: typed.newHost
      ? { name: typed.hostName, initiators: parseInitiators(typed.initiators)! }
      : { id: typed.host },
    secret: typed.withSecret ? typed.secret : '',
    disk: typed.newDisk
      ? { name: typed.diskName, size: bytes!, container: typed.container }
      : { id: typed.disk },
  };
}
