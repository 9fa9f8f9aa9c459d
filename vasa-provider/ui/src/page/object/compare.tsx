import { Skeleton } from '@patternfly/react-core';
import { useQuery } from '@tanstack/react-query';
import { ProblemAlert } from '../../kit/problem-alert';
import { Sheet } from '../../kit/sheet';
import { useFormat, useText } from '../../text/preferences';
import { differenceMap } from './difference-map';

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
    queryFn: ({ signal }) => differenceMap(of.id, since.id, signal),
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
