import { Label, LabelGroup } from '@patternfly/react-core';
import { useMemo, useState } from 'react';
import { call, type Output } from '../../api/call';
import { type PageCall, useRows } from '../../api/lists';
import { ProblemError } from '../../api/problem';
import { ProblemAlert } from '../../kit/problem-alert';
import { searched, sorted } from '../../kit/row-order';
import { type Choice, TypeAhead } from '../../kit/type-ahead';
import type { Text } from '../../text/en';
import { useText } from '../../text/preferences';
import { type Host, hostName } from '../host/host-table';
import { nameOf, type Vvol } from '../volumes-page';
import { keyOf, type LoadObject, MOST_OBJECTS, parseObjects, SYSTEM } from './load-object';
import type { Named } from './names';

type Vm = Output<'GET /vms'>['items'][number];
type Container = Output<'GET /containers'>['items'][number];

const VOLUMES: PageCall<Vvol> = (query) => call('GET /vvols', { query });
const VMS: PageCall<Vm> = (query) => call('GET /vms', { query });
const CONTAINERS: PageCall<Container> = (query) => call('GET /containers', { query });
const HOSTS: PageCall<Host> = (query) => call('GET /hosts', { query });
const MOST_CHOICES = 8;
const FORBIDDEN = 403;

interface Props {
  named: readonly Named[];
  set: (objects: readonly LoadObject[]) => void;
}

/** The objects that are shown side by side, and a field that adds others. */
export function ObjectPicker({ named, set }: Props) {
  const text = useText();
  const [typed, setTyped] = useState('');
  const [open, setOpen] = useState(false);
  const { choices, errors, isLoading } = useChoices(open);
  const taken = new Set(named.map(({ key }) => key));
  const free = choices.filter(({ key }) => !taken.has(key));
  const objects = named.map(({ object }) => object);
  const t = text.performance;
  const isFull = named.length >= MOST_OBJECTS;

  function choose({ key }: Choice): void {
    set([...objects, ...parseObjects(key)]);
    setTyped('');
    setOpen(false);
  }

  return (
    <>
      {errors.map((error, i) => (
        <ProblemAlert key={i} error={error} />
      ))}
      <div className="c-bar">
        <LabelGroup categoryName={t.objects} numLabels={MOST_OBJECTS}>
          {named.map(({ key, object, name }) => (
            <Label
              key={key}
              title={name}
              textMaxWidth="20ch"
              closeBtnAriaLabel={t.remove(name)}
              onClose={() => set(objects.filter((one) => keyOf(one) !== key))}
            >
              {object.kind === 'system' ? name : `${t.kinds[object.kind]}: ${name}`}
            </Label>
          ))}
        </LabelGroup>
        <TypeAhead
          label={t.add}
          hint={isFull ? t.most(MOST_OBJECTS) : t.addHint}
          typed={typed}
          type={setTyped}
          isOpen={open && !isFull}
          setOpen={setOpen}
          choices={searched(free, typed, textOf).slice(0, MOST_CHOICES)}
          nothing={isLoading ? text.common.loading : t.nothingFound}
          choose={choose}
          isDisabled={isFull}
        />
      </div>
    </>
  );
}

function textOf({ name, kind }: Choice): string {
  return `${kind} ${name}`;
}

/** All that can be chosen, by their names. Lists are read once somebody wants to choose. */
function useChoices(wanted: boolean) {
  const text = useText();
  const vms = useRows(['vms'], VMS, wanted);
  const volumes = useRows(['volumes'], VOLUMES, wanted);
  const containers = useRows(['containers'], CONTAINERS, wanted);
  const hosts = useRows(['hosts'], HOSTS, wanted);
  const choices = useMemo(
    () =>
      choicesOf(
        {
          vms: vms.data?.rows ?? [],
          volumes: volumes.data?.rows ?? [],
          containers: containers.data?.rows ?? [],
          hosts: hosts.data?.rows ?? [],
        },
        text,
      ),
    [vms.data, volumes.data, containers.data, hosts.data, text],
  );
  const all = [vms, volumes, containers, hosts];
  const errors = all
    .map(({ error }) => error)
    .filter((error) => error !== null && !isForbidden(error));
  return { choices, errors, isLoading: all.some((list) => list.isLoading) };
}

// Who may not see all kinds of objects has the others.
function isForbidden(error: Error): boolean {
  return error instanceof ProblemError && error.problem.status === FORBIDDEN;
}

interface Lists {
  vms: readonly Vm[];
  volumes: readonly Vvol[];
  containers: readonly Container[];
  hosts: readonly Host[];
}

function choicesOf({ vms, volumes, containers, hosts }: Lists, text: Text): readonly Choice[] {
  const t = text.performance;
  const choice = (object: LoadObject, name: string): Choice => ({
    key: keyOf(object),
    name,
    kind: t.kinds[object.kind],
  });
  const initiators = new Set(hosts.flatMap((host) => host.initiators));
  const all = [
    ...containers.map(({ id, name }) => choice({ kind: 'container', id }, name)),
    ...vms.map(({ id, name }) => choice({ kind: 'vm', id }, name ?? id)),
    ...volumes.map((row) => choice({ kind: 'volume', id: row.id }, nameOf(row))),
    ...hosts.map((row) => choice({ kind: 'host', id: row.id }, hostName(row))),
    ...[...initiators].map((name) => choice({ kind: 'initiator', id: name }, name)),
  ];
  return [choice(SYSTEM, t.all), ...sorted(all, ({ name }) => name, false)];
}
