import { Alert } from '@patternfly/react-core';
import type { Output } from '../api/call';
import { ChoiceField, TextField } from '../kit/field';
import { parseSize } from '../text/format';
import { useFormat, useText } from '../text/preferences';

interface Props {
  value: string;
  set: (value: string) => void;
}

/** The name of a volume. */
export function NameField({ value, set, autoFocus }: Props & { autoFocus?: boolean }) {
  const text = useText();
  return (
    <TextField
      label={text.volumes.name}
      value={value}
      set={set}
      maxLength={80}
      isRequired
      autoFocus={autoFocus}
    />
  );
}

/** The size of a volume, which says what it understood. */
export function SizeField({ value, set }: Props) {
  const text = useText();
  const format = useFormat();
  const bytes = parseSize(value);
  return (
    <TextField
      label={text.volumes.size}
      value={value}
      set={set}
      isRequired
      help={bytes === undefined ? undefined : format.bytes(bytes)}
      wrong={bytes === undefined ? text.volumes.sizeWrong : undefined}
    />
  );
}

/** The container of a volume, with what is free in each. */
export function ContainerField({
  value,
  set,
  containers,
}: Props & { containers: Output<'GET /containers'>['items'] }) {
  const text = useText();
  const format = useFormat();
  return (
    <>
      {containers.length === 0 && (
        <Alert isInline variant="info" title={text.volumes.noContainer} component="p" />
      )}
      <ChoiceField
        label={text.volumes.container}
        value={value}
        set={set}
        isRequired
        choices={containers.map((one) => ({
          value: one.id,
          label: `${one.name} (${format.bytes(one.free)} ${text.overview.free})`,
        }))}
      />
    </>
  );
}
