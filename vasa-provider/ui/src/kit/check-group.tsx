import { Checkbox, FormGroup } from '@patternfly/react-core';
import { useId } from 'react';

interface Props {
  label: string;
  /** What is expected, or what it means that nothing is chosen. */
  help?: string | undefined;
  choices: readonly { id: string; name: string }[];
  chosen: readonly string[];
  set: (ids: readonly string[]) => void;
}

/** A choice of any number of some values, each a check box. */
export function CheckGroup({ label, help, choices, chosen, set }: Props) {
  const id = useId();
  return (
    <FormGroup label={label} role="group" fieldId={id} isInline>
      {choices.map((one) => (
        <Checkbox
          key={one.id}
          id={`${id}-${one.id}`}
          label={one.name}
          isChecked={chosen.includes(one.id)}
          onChange={(_, checked) =>
            set(checked ? [...chosen, one.id] : chosen.filter((other) => other !== one.id))
          }
        />
      ))}
      {help !== undefined && <span className="c-quiet">{help}</span>}
    </FormGroup>
  );
}
