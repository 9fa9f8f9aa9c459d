import { Checkbox, FormGroup, Label, LabelGroup, TextInput } from '@patternfly/react-core';
import { useId, useMemo, useState } from 'react';
import { useText } from '../text/preferences';
import { searched } from './row-order';

const MOST_SHOWN = 50;
const MOST_CHOSEN_SHOWN = 10;

export interface Choice {
  id: string;
  name: string;
}

interface Props {
  label: string;
  choices: readonly Choice[];
  /** The ids of what is chosen, in the order in which it was. */
  chosen: readonly string[];
  set: (ids: readonly string[]) => void;
  isRequired?: boolean;
}

/** A choice of any number out of many: found by a part of the name, as a list of check boxes. */
export function Picker({ label, choices, chosen, set, isRequired = false }: Props) {
  const text = useText().forms.picker;
  const id = useId();
  const [query, setQuery] = useState('');
  const names = useMemo(() => new Map(choices.map((one) => [one.id, one.name])), [choices]);
  const found = useMemo(() => searched(choices, query, textOf), [choices, query]);
  const without = (gone: string) => chosen.filter((one) => one !== gone);
  return (
    <FormGroup label={label} role="group" fieldId={id} isRequired={isRequired}>
      {chosen.length > 0 && (
        <LabelGroup
          aria-label={label}
          numLabels={MOST_CHOSEN_SHOWN}
          expandedText={text.fewer}
          collapsedText={text.more}
        >
          {chosen.map((one) => {
            const name = names.get(one) ?? one;
            return (
              <Label
                key={one}
                variant="outline"
                textMaxWidth="14rem"
                closeBtnAriaLabel={text.remove(name)}
                onClose={() => set(without(one))}
              >
                {name}
              </Label>
            );
          })}
        </LabelGroup>
      )}
      <TextInput
        aria-label={text.search(label)}
        placeholder={text.hint}
        value={query}
        onChange={(_, value) => setQuery(value)}
      />
      <div className="c-scroll">
        {found.slice(0, MOST_SHOWN).map((one) => (
          <Checkbox
            key={one.id}
            id={`${id}-${one.id}`}
            label={<span className="c-wrap">{one.name}</span>}
            isChecked={chosen.includes(one.id)}
            onChange={(_, checked) => set(checked ? [...chosen, one.id] : without(one.id))}
          />
        ))}
      </div>
      {found.length === 0 && <p className="c-quiet">{text.nothing}</p>}
      {found.length > MOST_SHOWN && (
        <p className="c-quiet">{text.cut(MOST_SHOWN, found.length)}</p>
      )}
    </FormGroup>
  );
}

function textOf({ id, name }: Choice): string {
  return `${name}\n${id}`;
}
