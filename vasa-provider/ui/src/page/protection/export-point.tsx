import {
  Button,
  Checkbox,
  CodeBlock,
  CodeBlockCode,
  Modal,
  ModalBody,
  ModalFooter,
  ModalHeader,
  Title,
} from '@patternfly/react-core';
import { useId, useState } from 'react';
import { call, type Call, type Output } from '../../api/call';
import { type PageCall, useRows } from '../../api/lists';
import { send } from '../../api/send';
import { Ask } from '../../kit/ask';
import { DurationField } from '../../kit/duration-field';
import { Picker } from '../../kit/picker';
import { isoOf, type Span } from '../../text/duration';
import { useFormat, useText } from '../../text/preferences';
import { type Host, hostName } from '../host/host-table';
import type { Point } from './protection';

type Exported = Output<'POST /temporary-exports'>;

const HOSTS: PageCall<Host> = (query) => call('GET /hosts', { query });
const TITLE = 'exported-title';

interface Props {
  point: Point;
  close: () => void;
}

/** The form that exports a recovery point to hosts for a time, and then the lines for these hosts. */
export function ExportPoint({ point, close }: Props) {
  const text = useText();
  const t = text.protection;
  const checkbox = useId();
  const [hosts, setHosts] = useState<readonly string[]>([]);
  const [writable, setWritable] = useState(false);
  const [span, setSpan] = useState<Span>({ amount: '8', unit: 'hour' });
  const [exported, setExported] = useState<Exported | undefined>();
  const known = useRows(['hosts'], HOSTS).data?.rows ?? [];
  const wanted = exportOf(point, hosts, writable, span);
  if (exported !== undefined) {
    return <Lines exported={exported} title={t.exportTitle(point.name)} close={close} />;
  }
  return (
    <Ask
      title={t.exportTitle(point.name)}
      action={t.exportPoint}
      wanted={wanted}
      waits={wanted === undefined}
      run={async () => wanted && setExported(await send(wanted))}
      done={() => undefined}
      close={close}
    >
      <Picker
        label={t.hosts}
        isRequired
        choices={known
          .filter(({ managedBy }) => managedBy === 'admin')
          .map((host) => ({ id: host.id, name: hostName(host) }))}
        chosen={hosts}
        set={setHosts}
      />
      <DurationField label={t.exportFor} help={t.exportForHelp} value={span} set={setSpan} />
      <Checkbox
        id={checkbox}
        label={t.writable}
        isChecked={writable}
        onChange={(_, checked) => setWritable(checked)}
      />
    </Ask>
  );
}

function exportOf(
  { id }: Point,
  hosts: readonly string[],
  writable: boolean,
  span: Span,
): Call<Exported> | undefined {
  const keepFor = isoOf(span);
  return hosts.length === 0 || keepFor === undefined
    ? undefined
    : call('POST /temporary-exports', {
        body: {
          point: id,
          hosts: [...hosts],
          ...(writable ? { writable } : {}),
          ...(keepFor === null ? {} : { keepFor }),
        },
      });
}

function Lines(props: { exported: Exported; title: string; close: () => void }) {
  const { exported, title, close } = props;
  const text = useText();
  const format = useFormat();
  const systems = { Linux: exported.linux, ESXi: exported.esxi };
  return (
    <Modal isOpen variant="medium" onClose={close} aria-labelledby={TITLE}>
      <ModalHeader title={title} labelId={TITLE} />
      <ModalBody>
        <p>{text.protection.exportedUntil(format.time(exported.ends))}</p>
        {Object.entries(systems).map(([system, lines]) => (
          <section key={system} aria-label={system}>
            <Title headingLevel="h2" size="md">
              {system}
            </Title>
            <CodeBlock>
              <CodeBlockCode data-system={system.toLowerCase()}>{lines.join('\n')}</CodeBlockCode>
            </CodeBlock>
          </section>
        ))}
      </ModalBody>
      <ModalFooter>
        <Button onClick={close}>{text.common.close}</Button>
      </ModalFooter>
    </Modal>
  );
}
