import { useFormat } from '../text/preferences';

type Unit = 'bytes' | 'count' | 'seconds' | 'bytesPerSecond';

/**
 * A figure of the API. It says where it comes from and what it is exactly, so that a test can hold
 * each one against the API.
 *
 * @param of the path of the GET, such as `/system`
 * @param at where it is in the answer, as a JSON pointer
 */
export function Figure(props: { of: string; at: string; value: number; unit: Unit }) {
  const format = useFormat();
  const { of, at, value, unit } = props;
  return (
    <span data-figure={`${of}#${at}`} data-raw={value}>
      {shown()}
    </span>
  );

  function shown(): string {
    switch (unit) {
      case 'bytes':
        return format.bytes(value);
      case 'bytesPerSecond':
        return format.bytesPerSecond(value);
      case 'seconds':
        return format.seconds(value);
      case 'count':
        return format.number(value);
    }
  }
}

/** A time, exact on hovering and for programs. */
export function Time({ at }: { at: string }) {
  const format = useFormat();
  return (
    <time dateTime={at} title={at}>
      {format.time(at)}
    </time>
  );
}
