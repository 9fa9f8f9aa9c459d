import { call, type Call } from '../../api/call';
import type { Tagged } from '../../api/send';
import { DurationField } from '../../kit/duration-field';
import type { ComparedField } from '../../kit/edit-conflict';
import { EditForm } from '../../kit/edit-form';
import { ChoiceField, TextField } from '../../kit/field';
import { toast } from '../../kit/toasts';
import { isoOf, secondsOf, type Span, spanOf } from '../../text/duration';
import type { Text } from '../../text/en';
import { exactSize, type Format, parseSize } from '../../text/format';
import { useFormat, useText } from '../../text/preferences';
import type { Container } from './container';
import { QuotaField } from './quota-field';

/** What is to become of the time in the recycle bin. */
type BinChoice = 'keep' | 'own' | 'default';

interface Draft {
  name: string;
  quota: string;
  bin: BinChoice;
  binTime: Span;
}

/** The form that changes a container. */
export function EditContainer({ container, close }: { container: Container; close: () => void }) {
  const text = useText();
  const format = useFormat();
  const { id, name } = container;
  return (
    <EditForm
      title={text.containers.editTitle(name)}
      read={call('GET /containers/{id}', { path: { id } })}
      draftOf={draftOf}
      change={changeOf}
      compared={comparedFields(text, format)}
      saved={() => toast('success', text.forms.edit.changed_(name))}
      close={close}
    >
      {(draft: Draft, set: (change: Partial<Draft>) => void, now: Container) => (
        <Fields draft={draft} set={set} now={now} />
      )}
    </EditForm>
  );
}

interface FieldsProps {
  draft: Draft;
  set: (change: Partial<Draft>) => void;
  now: Container;
}

function Fields({ draft, set, now }: FieldsProps) {
  const text = useText();
  const format = useFormat();
  const t = text.containers;
  return (
    <>
      <TextField
        label={text.volumes.name}
        isRequired
        maxLength={80}
        wrong={draft.name.trim() === '' ? text.forms.edit.nameWrong : undefined}
        value={draft.name}
        set={(name) => set({ name })}
      />
      <QuotaField value={draft.quota} set={(quota) => set({ quota })} />
      <ChoiceField
        label={t.binTime}
        value={draft.bin}
        set={(bin) => set({ bin: bin as BinChoice })}
        choices={[
          { value: 'keep', label: t.binTimes.keep(format.duration(now.binTime)) },
          { value: 'own', label: t.binTimes.own },
          { value: 'default', label: t.binTimes.default },
        ]}
      />
      {draft.bin === 'own' && (
        <DurationField
          label={t.binTimes.own}
          isRequired
          wrong={isLower(draft.binTime, now) ? t.binLower : undefined}
          value={draft.binTime}
          set={(binTime) => set({ binTime })}
        />
      )}
    </>
  );
}

function draftOf(container: Container): Draft {
  return {
    name: container.name,
    quota: exactSize(container.quota),
    bin: 'keep',
    binTime: spanOf(container.binTime),
  };
}

function isLower(span: Span, now: Container): boolean {
  const iso = isoOf(span);
  const wanted = typeof iso === 'string' ? secondsOf(iso) : undefined;
  const present = secondsOf(now.binTime);
  return wanted !== undefined && present !== undefined && wanted < present;
}

/** The fields that differ from what was read; absent if there are none, or one is wrong. */
function changeOf(draft: Draft, base: Tagged<Container>): Call | undefined {
  const now = base.value;
  const quota = parseSize(draft.quota);
  const binTime = binTimeOf(draft, now);
  if (draft.name.trim() === '' || quota === undefined || binTime === undefined) {
    return undefined;
  }
  const body = {
    ...(draft.name === now.name ? {} : { name: draft.name }),
    ...(draft.quota === exactSize(now.quota) ? {} : { quota }),
    ...(binTime === null ? {} : { binTime }),
  };
  return Object.keys(body).length === 0
    ? undefined
    : call('PATCH /containers/{id}', {
        path: { id: now.id },
        body,
        ifMatch: base.tag ?? undefined,
      });
}

/** The time to set: null for the present one, absent if what was typed is none. */
function binTimeOf(draft: Draft, now: Container): string | null | undefined {
  switch (draft.bin) {
    case 'keep':
      return null;
    case 'default':
      return 'default';
    case 'own':
      return isLower(draft.binTime, now) ? undefined : (isoOf(draft.binTime) ?? undefined);
  }
}

function comparedFields(text: Text, format: Format): ComparedField<Container>[] {
  const t = text.containers;
  return [
    { label: text.volumes.name, shown: ({ name }) => name },
    { label: t.quota, shown: ({ quota }) => exactSize(quota) },
    {
      label: t.binTime,
      shown: ({ binTime, binTimeNext }) =>
        [binTime, binTimeNext].map((iso) => (iso === null ? '' : format.duration(iso))).join(' '),
    },
    {
      label: t.registrations,
      shown: ({ registrations }) => registrations?.join(', ') ?? t.offerAll,
    },
  ];
}
