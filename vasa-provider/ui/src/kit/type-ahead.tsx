import { TextInput } from '@patternfly/react-core';
import { type KeyboardEvent, useId, useState } from 'react';

/** Something that can be chosen by typing a part of its name. */
export interface Choice {
  key: string;
  name: string;
  /** What it is. */
  kind: string;
}

interface Props {
  label: string;
  hint: string;
  typed: string;
  type: (typed: string) => void;
  /** Whether the choices are shown. */
  isOpen: boolean;
  setOpen: (open: boolean) => void;
  /** Those that match what is typed. */
  choices: readonly Choice[];
  /** What is said where none matches. */
  nothing: string;
  choose: (choice: Choice) => void;
  isDisabled?: boolean;
}

/** A field that offers what matches while one types. Arrows and Enter choose, Escape closes it. */
export function TypeAhead(props: Props) {
  const { label, typed, choices, isOpen, setOpen, choose } = props;
  const id = useId();
  const [active, setActive] = useState(0);
  const current = Math.min(active, choices.length - 1);
  const isListed = isOpen && choices.length > 0;

  function key(event: KeyboardEvent): void {
    const steps: Record<string, () => void> = {
      ArrowDown: () => (isOpen ? setActive(Math.min(current + 1, choices.length - 1)) : setOpen(true)),
      ArrowUp: () => setActive(Math.max(current - 1, 0)),
      Enter: () => isListed && choose(choices[current]!),
      Escape: () => setOpen(false),
    };
    const step = steps[event.key];
    if (step !== undefined) {
      event.preventDefault();
      step();
    }
  }

  return (
    <div
      className="c-type-ahead"
      onBlur={(event) => {
        if (!event.currentTarget.contains(event.relatedTarget)) {
          setOpen(false);
        }
      }}
    >
      <TextInput
        role="combobox"
        aria-label={label}
        aria-autocomplete="list"
        aria-expanded={isListed}
        aria-controls={isListed ? id : undefined}
        aria-activedescendant={isListed ? `${id}-${current}` : undefined}
        autoComplete="off"
        placeholder={props.hint}
        value={typed}
        isDisabled={props.isDisabled ?? false}
        onFocus={() => setOpen(true)}
        onClick={() => setOpen(true)}
        onKeyDown={key}
        onChange={(_, value) => {
          props.type(value);
          setActive(0);
          setOpen(true);
        }}
      />
      {isListed && (
        <ul id={id} role="listbox" aria-label={label} className="c-choices">
          {choices.map((choice, i) => (
            <li
              key={choice.key}
              id={`${id}-${i}`}
              role="option"
              aria-selected={i === current}
              title={choice.name}
              // The field keeps the keyboard.
              onMouseDown={(event) => event.preventDefault()}
              onClick={() => choose(choice)}
            >
              {choice.name} <span className="c-quiet">{choice.kind}</span>
            </li>
          ))}
        </ul>
      )}
      {isOpen && choices.length === 0 && <p className="c-choices c-quiet">{props.nothing}</p>}
    </div>
  );
}
