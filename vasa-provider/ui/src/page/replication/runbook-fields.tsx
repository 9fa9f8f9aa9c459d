import { TextArea } from '@patternfly/react-core';
import { Field, TextField } from '../../kit/field';
import { useText } from '../../text/preferences';
import { type Field as FieldName, type RunbookDraft, wrongFields } from './runbook-draft';

const LONGEST_NAME = 80;

interface Props {
  draft: RunbookDraft;
  set: (change: Partial<RunbookDraft>) => void;
}

/** The fields of a runbook, for a new one and for one that is changed. */
export function RunbookFields({ draft, set }: Props) {
  const text = useText();
  const t = text.runbooks;
  const wrong = wrongFields(draft);
  const said = (field: FieldName) => ({
    label: t.fields[field],
    help: t.help[field],
    wrong: wrong.includes(field) ? `${t.wrong} ${t.help[field]}` : undefined,
  });
  const lines = (field: 'steps' | 'exports' | 'exportTests') => (
    <Field {...said(field)} isRequired={field === 'steps'}>
      {(names) => (
        <TextArea
          {...names}
          resizeOrientation="vertical"
          spellCheck={false}
          value={draft[field]}
          onChange={(_, value) => set({ [field]: value })}
        />
      )}
    </Field>
  );
  return (
    <>
      <TextField
        label={t.fields.name}
        isRequired
        maxLength={LONGEST_NAME}
        value={draft.name}
        set={(name) => set({ name })}
      />
      {lines('steps')}
      {lines('exports')}
      {lines('exportTests')}
      <TextField
        {...said('schedule')}
        autoComplete="off"
        value={draft.schedule}
        set={(schedule) => set({ schedule })}
      />
      <TextField
        {...said('holdFor')}
        isRequired
        autoComplete="off"
        value={draft.holdFor}
        set={(holdFor) => set({ holdFor })}
      />
      <TextField
        {...said('oldest')}
        autoComplete="off"
        value={draft.oldest}
        set={(oldest) => set({ oldest })}
      />
    </>
  );
}
