import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { call, type Output } from '../../api/call';
import { send } from '../../api/send';
import { countColumn, nameColumn, textColumn, timeColumn } from '../../kit/columns';
import type { Column } from '../../kit/data-table';
import { ListTable } from '../../kit/list-table';
import type { Text } from '../../text/en';
import { useText } from '../../text/preferences';

type Certificate = Output<'GET /certificates'>['items'][number];

const DAY = 86_400_000;

/** The certificates of the provider, and how long they last. */
export function CertificateTable() {
  const text = useText();
  const certificates = useQuery({
    queryKey: ['certificates'],
    refetchOnMount: 'always', // they are renewed without an event
    queryFn: ({ signal }) => send(call('GET /certificates'), signal),
    select: ({ items }) => ({ rows: items, total: items.length, complete: true }),
  });
  const columns = useMemo(
    () => columnsOf(text, certificates.dataUpdatedAt),
    [text, certificates.dataUpdatedAt],
  );
  return (
    <ListTable
      label={text.vcenters.certificates}
      query={certificates}
      columns={columns}
      idOf={idOf}
      nameOf={idOf}
      textOf={(row) => [row.name, row.subject, row.issuer, ...row.names].join('\n')}
      usualSort="notAfter"
    />
  );
}

function idOf(row: Certificate): string {
  return row.name;
}

/** @param now when the list was read */
function columnsOf(text: Text, now: number): Column<Certificate>[] {
  const t = text.vcenters;
  const daysLeft = (row: Certificate) => Math.floor((Date.parse(row.notAfter) - now) / DAY);
  return [
    nameColumn(t.certificate, (row) => t.certificateNames[row.name] ?? row.name),
    countColumn('days', t.daysLeft, daysLeft, { always: true }),
    timeColumn('notAfter', t.validUntil, (row) => row.notAfter),
    textColumn('renewal', t.renewal, (row) => (row.own ? t.byItself : t.byHand), { width: 12 }),
    textColumn('names', t.names, (row) => row.names.join(', '), { width: 12, grow: 1 }),
    textColumn('issuer', t.issuer, (row) => row.issuer, { width: 12, grow: 1 }),
    textColumn('sha256', t.fingerprint, (row) => row.sha256, { width: 12, grow: 1 }),
  ];
}
