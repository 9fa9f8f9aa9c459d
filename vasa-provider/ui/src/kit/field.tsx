import {
  FormGroup,
  FormHelperText,
  FormSelect,
  FormSelectOption,
  HelperText,
  HelperTextItem,
  TextInput,
  type TextInputProps,
} from '@patternfly/react-core';
import { type ReactNode, useId } from 'react';

interface FieldProps {
  label: string;
  /** What is expected, or what the value means. */
  help?: string | undefined;
  /** What is wrong with the value; none: nothing is. */
  wrong?: string | undefined;
  isRequired?: boolean;
}

/** A field of a form with its label and its help. */
export function Field({
  label,
  help,
  wrong,
  isRequired = false,
  children,
}: FieldProps & { children: (names: { id: string; 'aria-describedby'?: string }) => ReactNode }) {
  const id = useId();
  const says = wrong ?? help;
  return (
    <FormGroup label={label} fieldId={id} isRequired={isRequired}>
      {children(says === undefined ? { id } : { id, 'aria-describedby': `${id}-help` })}
      {says !== undefined && (
        <FormHelperText>
          <HelperText id={`${id}-help`}>
            <HelperTextItem variant={wrong === undefined ? 'default' : 'error'}>
              {says}
            </HelperTextItem>
          </HelperText>
        </FormHelperText>
      )}
    </FormGroup>
  );
}

/** A line of text to type. */
export function TextField({
  label,
  help,
  wrong,
  isRequired = false,
  set,
  ...input
}: FieldProps & { value: string; set: (value: string) => void } & Pick<
    TextInputProps,
    'type' | 'inputMode' | 'placeholder' | 'maxLength' | 'autoFocus' | 'autoComplete'
  >) {
  return (
    <Field label={label} help={help} wrong={wrong} isRequired={isRequired}>
      {(names) => (
        <TextInput
          {...names}
          {...input}
          isRequired={isRequired}
          validated={wrong === undefined ? 'default' : 'error'}
          onChange={(_, value) => set(value)}
        />
      )}
    </Field>
  );
}

/** A choice of one of some values. */
export function ChoiceField({
  label,
  help,
  wrong,
  isRequired = false,
  value,
  set,
  choices,
}: FieldProps & {
  value: string;
  set: (value: string) => void;
  choices: readonly { value: string; label: string }[];
}) {
  return (
    <Field label={label} help={help} wrong={wrong} isRequired={isRequired}>
      {(names) => (
        <FormSelect {...names} value={value} onChange={(_, chosen) => set(chosen)}>
          {choices.map((choice) => (
            <FormSelectOption key={choice.value} value={choice.value} label={choice.label} />
          ))}
        </FormSelect>
      )}
    </Field>
  );
}
