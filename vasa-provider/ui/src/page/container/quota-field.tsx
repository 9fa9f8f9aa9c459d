import { TextField } from '../../kit/field';
import { parseSize } from '../../text/format';
import { useFormat, useText } from '../../text/preferences';

/** The quota of a container, to type. */
export function QuotaField({ value, set }: { value: string; set: (value: string) => void }) {
  const text = useText();
  const format = useFormat();
  const bytes = parseSize(value);
  return (
    <TextField
      label={text.containers.quota}
      isRequired
      help={bytes === undefined ? undefined : format.bytes(bytes)}
      wrong={bytes === undefined ? text.volumes.sizeWrong : undefined}
      value={value}
      set={set}
    />
  );
}
