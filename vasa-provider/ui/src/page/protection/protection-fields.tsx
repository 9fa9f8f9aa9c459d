import { Checkbox } from '@patternfly/react-core';
import { useId } from 'react';
import { DurationField } from '../../kit/duration-field';
import { TextField } from '../../kit/field';
import { useText } from '../../text/preferences';
import type { ProtectionDraft } from './protection-draft';
import { RuleFields } from './rule-fields';
import { TierFields } from './tier-fields';

interface Props {
  draft: ProtectionDraft;
  set: (change: Partial<ProtectionDraft>) => void;
}

/** The fields of a protection policy, for a new one and for one that is changed. */
export function ProtectionFields({ draft, set }: Props) {
  const text = useText();
  const t = text.protection;
  const id = useId();
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
        maxLength={1000}
        value={draft.description}
        set={(description) => set({ description })}
      />
      <RuleFields rules={draft.rules} set={(rules) => set({ rules })} />
      <TierFields tiers={draft.tiers} set={(tiers) => set({ tiers })} />
      {draft.rules.length + draft.tiers.length === 0 && <p>{t.somethingNeeded}</p>}
      <fieldset className="c-part">
        <legend>{t.watch}</legend>
        <Checkbox
          id={id}
          label={t.watchAlert}
          isChecked={draft.alert}
          onChange={(_, alert) => set({ alert })}
        />
        <DurationField
          label={t.watchLock}
          help={t.watchLockHelp}
          value={draft.watchLock}
          set={(watchLock) => set({ watchLock })}
        />
      </fieldset>
    </>
  );
}
