import {
  FormSelect,
  FormSelectOption,
  InputGroup,
  InputGroupItem,
  TextInput,
} from '@patternfly/react-core';
import type { ComponentProps } from 'react';
import { isoOf, type Span, type Unit, UNITS } from '../text/duration';
import { useText } from '../text/preferences';
import { Field } from './field';

type Props = Omit<ComponentProps<typeof Field>, 'children'> & {
  value: Span;
  set: (value: Span) => void;
  units?: readonly Unit[];
  /** What stands in an empty field: what it means to leave it empty. */
  placeholder?: string;
};

/** A length of time to type: a number, and its unit beside it. */
export function DurationField({ value, set, units = UNITS, placeholder, ...field }: Props) {
  const text = useText().forms.duration;
  const wrong = field.wrong ?? (isoOf(value) === undefined ? text.wrong : undefined);
  return (
    <Field {...field} wrong={wrong}>
      {(names) => (
        <InputGroup>
          <InputGroupItem isFill>
            <TextInput
              {...names}
              inputMode="numeric"
              value={value.amount}
              placeholder={placeholder}
              isRequired={field.isRequired}
              validated={wrong === undefined ? 'default' : 'error'}
              onChange={(_, amount) => set({ ...value, amount })}
            />
          </InputGroupItem>
          <InputGroupItem>
            <FormSelect
              aria-label={text.unit(field.label)}
              value={value.unit}
              onChange={(_, unit) => set({ ...value, unit: unit as Unit })}
            >
              {units.map((unit) => (
                <FormSelectOption key={unit} value={unit} label={text.units[unit]} />
              ))}
            </FormSelect>
          </InputGroupItem>
        </InputGroup>
      )}
    </Field>
  );
}
