import { Content, Title } from '@patternfly/react-core';
import { useRef, useState } from 'react';
import { call, type Output } from '../../api/call';
import { send } from '../../api/send';
import { Ask } from '../../kit/ask';
import { Sheet } from '../../kit/sheet';
import { useText } from '../../text/preferences';
import { AttachLines } from '../host/attach-lines';
import { HostPicker } from '../host/host-picker';
import { NameField } from '../volume-fields';

type Unit = Output<'POST /exports'>;

interface Props {
  /** The moment as people read it. */
  at: string;
  suggested: string;
  /** Makes clones as of the moment, and tells their ids. */
  clone: (name: string) => Promise<readonly string[]>;
  close: () => void;
}

/** The form that gives hosts what an object held at a moment, as clones of their own. */
export function ExportAt({ at, suggested, clone, close }: Props) {
  const text = useText();
  const t = text.object;
  const [name, setName] = useState(suggested);
  const [hosts, setHosts] = useState<readonly string[]>([]);
  const [units, setUnits] = useState<readonly Unit[] | undefined>();
  const made = useRef<readonly string[]>(undefined); // not once more if an export is refused
  const given = useRef(new Map<string, Unit>());

  async function run(): Promise<void> {
    made.current ??= await clone(name);
    for (const vvol of made.current) {
      if (!given.current.has(vvol)) {
        const body = { vvol, hosts: [...hosts] };
        given.current.set(vvol, await send(call('POST /exports', { body })));
      }
    }
    setUnits([...given.current.values()]);
  }

  if (units !== undefined) {
    return (
      <Sheet title={t.given(name)} close={close}>
        {units.map((unit) => (
          <section key={unit.vvol} aria-label={unit.name ?? unit.vvol}>
            <Title headingLevel="h2" size="md">
              {unit.name ?? unit.vvol}
            </Title>
            <AttachLines commands={unit.commands} />
          </section>
        ))}
      </Sheet>
    );
  }
  return (
    <Ask
      title={t.exportAtTitle(at)}
      action={t.exportAt}
      waits={name.trim() === '' || hosts.length === 0}
      run={run}
      done={() => undefined}
      close={close}
    >
      <Content component="p">{t.exportAtText}</Content>
      <NameField value={name} set={setName} />
      <HostPicker chosen={hosts} set={setHosts} />
    </Ask>
  );
}
