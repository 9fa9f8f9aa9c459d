import { Skeleton } from '@patternfly/react-core';
import { useQuery } from '@tanstack/react-query';
import { call, type Output } from '../../api/call';
import { send } from '../../api/send';
import { ProblemAlert } from '../../kit/problem-alert';
import { Sheet } from '../../kit/sheet';
import { useFormat, useText } from '../../text/preferences';

type Map = Output<'GET /differences/map'>;

const CELLS = 256;
const HEIGHT = 64;

/** A point of a volume: a snapshot, or the volume as it is now. */
export interface Compared {
  id: string;
  name: string;
}

interface Props {
  since: Compared;
  of: Compared;
  close: () => void;
}

/** Where two points of a volume differ, and how much. */
export function Compare({ since, of, close }: Props) {
  const text = useText();
  const format = useFormat();
  const t = text.object;
  const found = useQuery({
    queryKey: ['snapshots', 'differences', of.id, since.id],
    gcTime: 0,
    queryFn: ({ signal }) => whole(of.id, since.id, signal),
  });
  const { data } = found;
  return (
    <Sheet title={t.compareTitle(since.name, of.name)} close={close}>
      {found.isError && <ProblemAlert error={found.error} retry={() => void found.refetch()} />}
      {found.isPending && <Skeleton screenreaderText={text.common.loading} />}
      {data !== undefined && (
        <>
          <p data-differs={data.bytes}>{t.differs(format.bytes(data.bytes), format.bytes(data.size))}</p>
          <Strip
            cells={data.cells}
            label={t.differsAlt(data.cells.filter((bytes) => bytes > 0).length, data.cells.length)}
          />
          <p className="c-quiet">{t.differsHelp(format.bytes(data.size / data.cells.length))}</p>
        </>
      )}
    </Sheet>
  );
}

/** The map of all parts: each has looked at a beginning of what is left. */
async function whole(of: string, since: string, signal: AbortSignal): Promise<Map> {
  let sum: Map | undefined;
  let cursor: string | undefined;
  do {
    const query = { of, since, cells: CELLS, cursor };
    const part: Map = await send(call('GET /differences/map', { query }), signal);
    sum = sum === undefined ? part : added(sum, part);
    cursor = part.next ?? undefined;
  } while (cursor !== undefined);
  return sum;
}

/** The sum of two parts of a map. */
export function added(before: Map, part: Map): Map {
  return {
    ...part,
    bytes: before.bytes + part.bytes,
    cells: part.cells.map((bytes, i) => bytes + (before.cells[i] ?? 0)),
  };
}

function Strip({ cells, label }: { cells: readonly number[]; label: string }) {
  const most = Math.max(1, ...cells);
  return (
    <svg
      className="c-strip"
      role="img"
      aria-label={label}
      viewBox={`0 0 ${cells.length} ${HEIGHT}`}
      preserveAspectRatio="none"
    >
      {cells.map((bytes, i) => {
        const height = bytes === 0 ? 0 : Math.max(2, (HEIGHT * bytes) / most);
        return <rect key={i} x={i} y={HEIGHT - height} width={1} height={height} />;
      })}
    </svg>
  );
}
