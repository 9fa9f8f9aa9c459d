import { useStore } from '../api/store';
import { preferences } from '../text/preferences';
import { TextField } from './field';
import { inputOf, instantOf } from './time-input';

interface Props {
  label: string;
  help?: string;
  isRequired?: boolean;
  /** An instant; empty for none. */
  value: string;
  set: (instant: string) => void;
}

/** A date and time to choose, in the zone that is preferred. */
export function TimeField({ value, set, ...field }: Props) {
  const { zone } = useStore(preferences);
  return (
    <TextField
      {...field}
      type="datetime-local"
      value={inputOf(value, zone)}
      set={(typed) => set(instantOf(typed, zone))}
    />
  );
}
