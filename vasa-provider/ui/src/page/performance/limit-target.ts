import { call, type Call } from '../../api/call';
import type { Text } from '../../text/en';
import type { Format } from '../../text/format';
import type { LoadObject } from './load-object';

/** The limits of a volume or of a virtual machine; null for none. */
export interface AnyLimits {
  maxIops: number | null;
  maxBandwidth: number | null;
  /** The share of the limits of the virtual machine; volumes alone have it. */
  weight?: number | null;
}

/** Something that can be given limits. */
export interface Target {
  object: LoadObject;
  read: Call<AnyLimits>;
  /** The change to limits, of the edition that was read. */
  write: (limits: AnyLimits, ifMatch: string | undefined) => Call<AnyLimits>;
}

/** A volume. Its weight stays as it is. */
export function volumeTarget(id: string): Target {
  const path = { id };
  return {
    object: { kind: 'volume', id },
    read: call('GET /vvols/{id}/limits', { path }),
    write: ({ maxIops, maxBandwidth, weight }, ifMatch) =>
      call('PUT /vvols/{id}/limits', { path, body: { maxIops, maxBandwidth, weight }, ifMatch }),
  };
}

/** A virtual machine: all of its volumes together. */
export function vmTarget(id: string): Target {
  const path = { id };
  return {
    object: { kind: 'vm', id },
    read: call('GET /vms/{id}/limits', { path }),
    write: ({ maxIops, maxBandwidth }, ifMatch) =>
      call('PUT /vms/{id}/limits', { path, body: { maxIops, maxBandwidth }, ifMatch }),
  };
}

/** The limits in words. */
export function limitsText({ maxIops, maxBandwidth }: AnyLimits, text: Text, format: Format): string {
  const t = text.performance.neighbour;
  const parts = [
    ...(maxIops === null ? [] : [t.iops(format.number(maxIops))]),
    ...(maxBandwidth === null ? [] : [format.bytesPerSecond(maxBandwidth)]),
  ];
  return parts.length === 0 ? t.none : parts.join(', ');
}
