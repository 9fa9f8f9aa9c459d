import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { call, type Output } from '../../api/call';
import { send } from '../../api/send';
import { ActionButton } from '../../kit/action-button';
import { countColumn, textColumn } from '../../kit/columns';
import { type Column, DataTable } from '../../kit/data-table';
import { Facts } from '../../kit/facts';
import { Figure } from '../../kit/figure';
import { Mark } from '../../kit/mark';
import { QueryCard } from '../../kit/query-card';
import { useSelection } from '../../kit/selection';
import type { Text } from '../../text/en';
import { useText } from '../../text/preferences';
import { AskAboutPortal } from './portal-dialog';

type IscsiState = Output<'GET /iscsi'>;
export type Portal = IscsiState['portals'][number];

interface Question {
  drain: boolean;
  portal: Portal;
}

/** Portals of the target, what was seen at them, and what takes one out of service. */
export function PortalTab() {
  const text = useText();
  const t = text.housekeeping.portals;
  const iscsi = useQuery({
    queryKey: ['iscsi'],
    refetchOnMount: 'always',
    queryFn: ({ signal }) => send(call('GET /iscsi'), signal),
  });
  const portals = iscsi.data?.portals;
  const list = useMemo(
    () => portals && { rows: portals, total: portals.length, complete: true },
    [portals],
  );
  const selection = useSelection(list, idOf);
  const [asked, ask] = useState<Question | undefined>();
  const columns = useMemo(() => columnsOf(text), [text]);
  const { only } = selection;
  return (
    <>
      <br />
      <QueryCard title={t.target} query={iscsi}>
        {(state) => <Counts state={state} />}
      </QueryCard>
      <DataTable
        label={t.title}
        list={list}
        columns={columns}
        idOf={idOf}
        nameOf={(row) => row.address}
        textOf={(row) => row.address}
        usualSort="number"
        selection={selection}
        actions={
          only !== undefined && (
            <>
              <ActionButton
                operation="POST /iscsi/portals/{number}/drain"
                variant="danger"
                reason={only.draining ? t.isDraining : undefined}
                onClick={() => ask({ drain: true, portal: only })}
              >
                {t.drain}
              </ActionButton>
              <ActionButton
                operation="POST /iscsi/portals/{number}/undrain"
                variant="secondary"
                reason={only.draining ? undefined : t.isInService}
                onClick={() => ask({ drain: false, portal: only })}
              >
                {t.undrain}
              </ActionButton>
            </>
          )
        }
      />
      {asked !== undefined && <AskAboutPortal {...asked} close={() => ask(undefined)} />}
    </>
  );
}

function Counts({ state }: { state: IscsiState }) {
  const text = useText();
  const t = text.housekeeping.portals;
  const of = '/iscsi';
  const violations = Object.entries(state.violations).filter(([, n]) => n > 0);
  return (
    <>
      <Facts
        of={[
          [t.logins, <Figure of={of} at="/logins" value={state.logins} unit="count" />],
          [t.redirects, <Figure of={of} at="/redirects" value={state.redirects} unit="count" />],
        ]}
      />
      <h3>{t.violations}</h3>
      {violations.length === 0 ? (
        <p>{t.noViolations}</p>
      ) : (
        <Facts
          of={violations.map(([kind, n]) => [
            kind,
            <Figure of={of} at={`/violations/${kind}`} value={n} unit="count" />,
          ])}
        />
      )}
    </>
  );
}

function idOf(row: Portal): string {
  return String(row.number);
}

function columnsOf(text: Text): Column<Portal>[] {
  const t = text.housekeeping.portals;
  return [
    countColumn('number', t.number, (row) => row.number),
    textColumn('address', t.address, (row) => row.address, { width: 11, grow: 1, always: true }),
    {
      key: 'state',
      title: t.state,
      by: (row) => Number(row.draining),
      cell: (row) => (
        <Mark status={row.draining ? 'warning' : 'success'}>
          {row.draining ? t.draining : t.inService}
        </Mark>
      ),
      width: 9,
      always: true,
    },
    countColumn('sessions', t.sessions, (row) => row.sessions),
    countColumn('away', t.away, (row) => row.away, { width: 9 }),
  ];
}
