import { call, type Output } from '../../api/call';
import { send } from '../../api/send';

export type DifferenceMap = Output<'GET /differences/map'>;

const CELLS = 256;

/** Where two points of a volume differ: all parts, each of which has looked at what is left. */
export async function differenceMap(
  of: string,
  since: string,
  signal: AbortSignal,
): Promise<DifferenceMap> {
  let sum: DifferenceMap | undefined;
  let cursor: string | undefined;
  do {
    const query = { of, since, cells: CELLS, cursor };
    const part: DifferenceMap = await send(call('GET /differences/map', { query }), signal);
    sum = sum === undefined ? part : added(sum, part);
    cursor = part.next ?? undefined;
  } while (cursor !== undefined);
  return sum;
}

/** The sum of two parts of a map. */
export function added(before: DifferenceMap, part: DifferenceMap): DifferenceMap {
  return {
    ...part,
    bytes: before.bytes + part.bytes,
    cells: part.cells.map((bytes, i) => bytes + (before.cells[i] ?? 0)),
  };
}
