import type { Output } from '../../api/call';

type Counts = Output<'GET /offloads/vms'>['items'][number]['counts'];
export type Count = Counts['total'];

/** The kinds of commands by which hosts leave work to the array, as REST names them. */
export const OFFLOAD_KINDS = [
  'xcopy',
  'writeSame',
  'unmap',
  'ats',
  'atsMiscompare',
  'tokenCopy',
] as const;
export type OffloadKind = (typeof OFFLOAD_KINDS)[number];

const NONE: Count = { commands: 0, bytesSpared: 0, fallBacks: 0, reasons: [] };

/** The counts of a kind, zero where none has come; all kinds together for none. */
export function countOf(counts: Counts, kind: OffloadKind | undefined): Count {
  return kind === undefined ? counts.total : (counts.kinds[kind] ?? NONE);
}

/** The kind of a word in the address; absent for all together. */
export function parseKind(text: string): OffloadKind | undefined {
  return OFFLOAD_KINDS.find((kind) => kind === text);
}
