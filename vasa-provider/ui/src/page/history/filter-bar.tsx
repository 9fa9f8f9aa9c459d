import { Button } from '@patternfly/react-core';
import { useEffect, useState } from 'react';
import { useSearchParams } from 'react-router';
import { ChoiceField, TextField } from '../../kit/field';
import { TimeField } from '../../kit/time-field';
import { useText } from '../../text/preferences';
import { KINDS } from './entry';
import { type Filter, FILTER_NAMES } from './filter';

/** The filter that the address has, and what changes it. */
export function useFilter(): [Filter, (change: Partial<Filter>) => void] {
  const [search, setSearch] = useSearchParams();
  const filter = Object.fromEntries(
    FILTER_NAMES.map((name) => [name, search.get(name) ?? '']),
  ) as unknown as Filter;
  function change(part: Partial<Filter>): void {
    setSearch(
      (before) => {
        const next = new URLSearchParams(before);
        for (const name of FILTER_NAMES) {
          const value = part[name];
          if (value === '') {
            next.delete(name);
          } else if (value !== undefined) {
            next.set(name, value);
          }
        }
        return next;
      },
      { replace: true },
    );
  }
  return [filter, change];
}

/** The fields of the filter. */
export function FilterBar() {
  const text = useText();
  const t = text.history;
  const [filter, change] = useFilter();
  const all = { value: '', label: t.all };
  const isSet = FILTER_NAMES.some((name) => filter[name] !== '');
  return (
    <div className="pf-v6-c-form c-filters">
      <ChoiceField
        label={t.kind}
        value={filter.kind}
        set={(kind) => change({ kind })}
        choices={[all, ...KINDS.map((kind) => ({ value: kind, label: t.kindsMany[kind] }))]}
      />
      <ChoiceField
        label={t.severity}
        value={filter.severity}
        set={(severity) => change({ severity })}
        choices={[
          all,
          { value: 'warning', label: t.severities.warning },
          { value: 'critical', label: t.severities.critical },
        ]}
      />
      <SettledField
        label={t.actor}
        help={t.actorHelp}
        value={filter.actor}
        set={(actor) => change({ actor })}
      />
      <SettledField
        label={t.object}
        help={t.objectHelp}
        value={filter.object}
        set={(object) => change({ object })}
      />
      <TimeField label={t.since} value={filter.since} set={(since) => change({ since })} />
      <TimeField label={t.until} value={filter.until} set={(until) => change({ until })} />
      {isSet && (
        <Button
          variant="link"
          onClick={() =>
            change({ kind: '', severity: '', actor: '', object: '', since: '', until: '' })
          }
        >
          {t.clear}
        </Button>
      )}
    </div>
  );
}

/** A line of text that counts once it is left or sent: each value is a question to the server. */
function SettledField(props: {
  label: string;
  help: string;
  value: string;
  set: (value: string) => void;
}) {
  const { value, set } = props;
  const [typed, setTyped] = useState(value);
  useEffect(() => setTyped(value), [value]);

  function settle(): void {
    if (typed.trim() !== value) {
      set(typed.trim());
    }
  }

  return (
    <form
      onBlur={settle}
      onSubmit={(event) => {
        event.preventDefault();
        settle();
      }}
    >
      <TextField label={props.label} help={props.help} value={typed} set={setTyped} />
    </form>
  );
}
