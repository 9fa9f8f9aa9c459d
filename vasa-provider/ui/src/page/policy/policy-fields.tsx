import { useRows } from '../../api/lists';
import { DurationField } from '../../kit/duration-field';
import { ChoiceField, TextField } from '../../kit/field';
import { Picker } from '../../kit/picker';
import type { Unit } from '../../text/duration';
import { useFormat, useText } from '../../text/preferences';
import { CONTAINERS } from '../container/container';
import {
  bandwidthOf,
  iopsOf,
  type PolicyDraft,
  type SpaceChoice,
  type TimeField,
  TIMES,
} from './policy-draft';

const UNITS: readonly Unit[] = ['minute', 'hour', 'day'];
const SPACES: readonly SpaceChoice[] = ['any', 'thin', 'thick'];

interface Props {
  draft: PolicyDraft;
  set: (change: Partial<PolicyDraft>) => void;
}

/** The fields of a storage policy, for a new one and for one that is changed. */
export function PolicyFields({ draft, set }: Props) {
  const text = useText();
  const t = text.policies;
  return (
    <>
      <TextField
        label={text.volumes.name}
        isRequired
        maxLength={80}
        value={draft.name}
        set={(name) => set({ name })}
      />
      <TextField
        label={text.forms.edit.description}
        value={draft.description}
        set={(description) => set({ description })}
      />
      <ChoiceField
        label={t.space}
        value={draft.spaceEfficiency}
        set={(chosen) => set({ spaceEfficiency: chosen as SpaceChoice })}
        choices={SPACES.map((value) => ({ value, label: t.spaces[value] }))}
      />
      {(Object.keys(TIMES) as TimeField[]).map((field) => (
        <DurationField
          key={field}
          label={t[field]}
          units={UNITS}
          placeholder={field === 'snapshotRetention' ? t.forEver : t.nothing}
          value={draft[field]}
          set={(span) => set({ [field]: span })}
        />
      ))}
      <LimitFields draft={draft} set={set} />
      <ContainerPicker draft={draft} set={set} />
    </>
  );
}

function LimitFields({ draft, set }: Props) {
  const text = useText();
  const format = useFormat();
  const t = text.policies;
  const bandwidth = bandwidthOf(draft.maxBandwidth);
  return (
    <>
      <TextField
        label={t.maxIops}
        inputMode="numeric"
        placeholder={text.object.noLimit}
        wrong={iopsOf(draft.maxIops) === undefined ? t.iopsWrong : undefined}
        value={draft.maxIops}
        set={(maxIops) => set({ maxIops })}
      />
      <TextField
        label={t.maxBandwidth}
        placeholder={text.object.noLimit}
        help={typeof bandwidth === 'number' ? format.bytesPerSecond(bandwidth) : undefined}
        wrong={bandwidth === undefined ? t.bandwidthWrong : undefined}
        value={draft.maxBandwidth}
        set={(maxBandwidth) => set({ maxBandwidth })}
      />
    </>
  );
}

function ContainerPicker({ draft, set }: Props) {
  const text = useText();
  const containers = useRows(['containers'], CONTAINERS);
  return (
    <>
      <Picker
        label={text.policies.chosenContainers}
        choices={containers.data?.rows ?? []}
        chosen={draft.containers}
        set={(chosen) => set({ containers: chosen })}
      />
      <p className="c-quiet">{text.policies.chosenHelp}</p>
    </>
  );
}
