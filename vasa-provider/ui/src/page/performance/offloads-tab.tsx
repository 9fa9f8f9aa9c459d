import { Button, ToggleGroup, ToggleGroupItem } from '@patternfly/react-core';
import { useQueryClient } from '@tanstack/react-query';
import { useSearchParams } from 'react-router';
import { ChoiceField } from '../../kit/field';
import { useUrlState } from '../../kit/url-state';
import { useText } from '../../text/preferences';
import { OFFLOAD_KINDS, parseKind } from './offload-kinds';
import { HostOffloads, VmOffloads, VolumeOffloads } from './offload-tables';
import { OffloadTotals } from './offload-totals';

const BY = ['volume', 'vm', 'host'] as const;
const ALL = 'all';

/** The work that hosts leave to the array: of all together, and by volume, virtual machine or host. */
export function OffloadsTab() {
  const text = useText();
  const queries = useQueryClient();
  const [kindText, setKind] = useUrlState('kind', ALL);
  const t = text.performance.offloads;
  const kind = parseKind(kindText);
  return (
    <>
      <br />
      <OffloadTotals />
      <br />
      <div className="c-bar">
        <ByToggle />
        <ChoiceField
          label={t.kind}
          value={kind ?? ALL}
          set={setKind}
          choices={[ALL, ...OFFLOAD_KINDS].map((value) => ({
            value,
            label: t.kinds[parseKind(value) ?? ALL],
          }))}
        />
        <Button
          variant="secondary"
          onClick={() => void queries.invalidateQueries({ queryKey: ['offloads'] })}
        >
          {text.performance.readAgain}
        </Button>
      </div>
      <p className="c-quiet">{t.note}</p>
      <Table kind={kind} />
    </>
  );
}

function useBy(): (typeof BY)[number] {
  const [search] = useSearchParams();
  return BY.find((one) => one === search.get('by')) ?? BY[0];
}

function Table({ kind }: { kind: ReturnType<typeof parseKind> }) {
  switch (useBy()) {
    case 'volume':
      return <VolumeOffloads kind={kind} />;
    case 'vm':
      return <VmOffloads kind={kind} />;
    case 'host':
      return <HostOffloads kind={kind} />;
  }
}

function ByToggle() {
  const text = useText();
  const [, setSearch] = useSearchParams();
  const by = useBy();
  const t = text.performance.offloads;

  // The search and the order of one table are not those of another one.
  function change(to: string): void {
    setSearch(
      (before) => {
        const next = new URLSearchParams(before);
        next.set('by', to);
        next.delete('q');
        next.delete('sort');
        return next;
      },
      { replace: true },
    );
  }

  return (
    <ToggleGroup aria-label={t.of} isCompact>
      {BY.map((one) => (
        <ToggleGroupItem
          key={one}
          text={t.by[one]}
          isSelected={by === one}
          onChange={() => change(one)}
        />
      ))}
    </ToggleGroup>
  );
}
