import { TextArea } from '@patternfly/react-core';
import { useQuery } from '@tanstack/react-query';
import { call, type Call, type Output } from '../../api/call';
import { send, type Tagged } from '../../api/send';
import type { ComparedField } from '../../kit/edit-conflict';
import { EditForm } from '../../kit/edit-form';
import { ChoiceField, Field, TextField } from '../../kit/field';
import { toast } from '../../kit/toasts';
import type { Text } from '../../text/en';
import { type Format, parseSize } from '../../text/format';
import { useFormat, useText } from '../../text/preferences';
import { NameField } from '../volume-fields';
import { nameOf } from '../volumes-page';
import { changeOf, parseLabels, textOfLabels, type TypedLabels } from './labels';

type Volume = Output<'GET /volumes/{id}'>;

interface Draft {
  name: string;
  /** Empty: as now. */
  size: string;
  /** The id of another policy; empty: as now. */
  policy: string;
  labels: string;
}

const SAME = '';
const MOST_SHOWN = 1000;

/** The form that changes a volume of administrators: name, size, policy, labels. */
export function EditVolume({ id, name, close }: { id: string; name: string; close: () => void }) {
  const text = useText();
  const format = useFormat();
  const t = text.volume;
  const policies = useQuery({
    queryKey: ['policies', 'names'],
    queryFn: ({ signal }) =>
      send(call('GET /policies', { query: { limit: MOST_SHOWN, sort: 'name' } }), signal),
  });
  return (
    <EditForm<Volume, Draft>
      title={t.editTitle(name)}
      wide
      read={call('GET /volumes/{id}', { path: { id } })}
      draftOf={draftOf}
      change={changed}
      compared={comparedFields(text, format)}
      saved={() => toast('success', t.changed(name))}
      close={close}
    >
      {(draft, set, now) => (
        <>
          <NameField value={draft.name} set={(value) => set({ name: value })} autoFocus />
          <Size value={draft.size} set={(size) => set({ size })} least={now.size} />
          <ChoiceField
            label={text.volumes.policy}
            value={draft.policy}
            set={(policy) => set({ policy })}
            choices={[
              { value: SAME, label: t.samePolicy },
              ...(policies.data?.items ?? []).map((one) => ({ value: one.id, label: one.name })),
            ]}
          />
          <Field
            label={t.labels}
            help={t.labelsHelp}
            wrong={wrongOf(parseLabels(draft.labels), text)}
          >
            {(names) => (
              <TextArea
                {...names}
                value={draft.labels}
                onChange={(_, labels) => set({ labels })}
              />
            )}
          </Field>
        </>
      )}
    </EditForm>
  );
}

function draftOf(volume: Volume): Draft {
  return {
    name: volume.name ?? '',
    size: '',
    policy: SAME,
    labels: textOfLabels(volume.labels),
  };
}

/** The change that a draft is; absent while it is not whole, or changes nothing. */
function changed(draft: Draft, { value, tag }: Tagged<Volume>): Call<Volume> | undefined {
  const size = draft.size.trim() === '' ? value.size : parseSize(draft.size);
  const typed = parseLabels(draft.labels);
  if (draft.name.trim() === '' || size === undefined || size < value.size || 'wrong' in typed) {
    return undefined;
  }
  const labels = changeOf(value.labels, typed.labels);
  const body = {
    ...(draft.name === value.name ? {} : { name: draft.name }),
    ...(size === value.size ? {} : { size }),
    ...(draft.policy === SAME ? {} : { policy: draft.policy }),
    ...(Object.keys(labels).length === 0 ? {} : { labels }),
  };
  return Object.keys(body).length === 0
    ? undefined
    : call('PATCH /volumes/{id}', { path: { id: value.id }, body, ifMatch: tag ?? undefined });
}

function comparedFields(text: Text, format: Format): readonly ComparedField<Volume>[] {
  return [
    { label: text.volumes.name, shown: nameOf },
    { label: text.volumes.size, shown: (one) => format.bytes(one.size) },
    { label: text.volumes.policy, shown: (one) => one.policy?.id ?? text.volume.noPolicy },
    { label: text.volume.labels, shown: (one) => textOfLabels(one.labels) || text.common.none },
  ];
}

function Size(props: { value: string; set: (value: string) => void; least: number }) {
  const { value, set, least } = props;
  const text = useText();
  const format = useFormat();
  const isTyped = value.trim() !== '';
  const bytes = isTyped ? parseSize(value) : least;
  const wrong =
    bytes === undefined
      ? text.volumes.sizeWrong
      : bytes < least
        ? text.volume.tooSmall(format.bytes(least))
        : undefined;
  return (
    <TextField
      label={text.volumes.size}
      value={value}
      set={set}
      placeholder={format.bytes(least)}
      help={
        isTyped && bytes !== undefined ? format.bytes(bytes) : text.volume.grows(format.bytes(least))
      }
      wrong={wrong}
    />
  );
}

function wrongOf(typed: TypedLabels, text: Text): string | undefined {
  if (!('wrong' in typed)) {
    return undefined;
  }
  return typed.wrong === 'line'
    ? text.volume.labelsWrong(typed.text)
    : text.volume.labelTwice(typed.text);
}
