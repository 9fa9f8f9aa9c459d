import { Checkbox, Title } from '@patternfly/react-core';
import { useId, useState } from 'react';
import { call, type Call, type Output } from '../../api/call';
import { send } from '../../api/send';
import { Ask } from '../../kit/ask';
import { CopyLines } from '../../kit/copy-lines';
import { DurationField } from '../../kit/duration-field';
import { Sheet } from '../../kit/sheet';
import { isoOf, type Span } from '../../text/duration';
import { useFormat, useText } from '../../text/preferences';
import { HostPicker } from '../host/host-picker';
import type { Point } from './protection';

type Exported = Output<'POST /temporary-exports'>;

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
      <HostPicker chosen={hosts} set={setHosts} />
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
    <Sheet title={title} close={close}>
      <p>{text.protection.exportedUntil(format.time(exported.ends))}</p>
      {Object.entries(systems).map(([system, lines]) => (
        <section key={system} aria-label={system}>
          <Title headingLevel="h2" size="md">
            {system}
          </Title>
          <CopyLines
            label={system}
            lines={lines.join('\n')}
            mark={{ 'data-system': system.toLowerCase() }}
          />
        </section>
      ))}
    </Sheet>
  );
}
