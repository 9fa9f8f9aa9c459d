import { Title } from '@patternfly/react-core';
import type { UseQueryResult } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useNavigate } from 'react-router';
import type { Rows } from '../../api/lists';
import { linkColumn } from '../../kit/columns';
import { type Column, DataTable } from '../../kit/data-table';
import { Mark } from '../../kit/mark';
import { ProblemAlert } from '../../kit/problem-alert';
import type { Text } from '../../text/en';
import { useText } from '../../text/preferences';
import { Compliance, nameOf, type Vvol } from '../volumes-page';
import type { Policy } from './policy';

interface Props {
  policy: Policy;
  /** All volumes. */
  volumes: UseQueryResult<Rows<Vvol>>;
}

/** The volumes that have a policy: which edition each was given, and whether it is kept. */
export function PolicyVolumes({ policy, volumes }: Props) {
  const text = useText();
  const navigate = useNavigate();
  const { id, generation } = policy;
  const all = volumes.data;
  const list = useMemo(() => all && volumesOf(id, all), [id, all]);
  const columns = useMemo(() => columnsOf(generation, text), [generation, text]);
  return (
    <section aria-label={text.policies.volumes}>
      <Title headingLevel="h2">{text.policies.volumes}</Title>
      {volumes.isError && (
        <ProblemAlert error={volumes.error} retry={() => void volumes.refetch()} />
      )}
      <DataTable
        label={text.policies.volumes}
        list={list}
        columns={columns}
        idOf={idOf}
        nameOf={nameOf}
        textOf={textOf}
        usualSort="name"
        open={(row) => void navigate(pathOf(row))}
      />
    </section>
  );
}

/** The volumes that have a policy, out of all that are known. */
export function volumesOf(policy: string, all: Rows<Vvol>): Rows<Vvol> {
  const rows = all.rows.filter((row) => row.policy?.id === policy);
  return { rows, total: rows.length, complete: all.complete };
}

function idOf({ id }: Vvol): string {
  return id;
}

function textOf(row: Vvol): string {
  return [nameOf(row), row.id, row.vm ?? '', row.compliance?.reason ?? ''].join('\n');
}

function pathOf({ id }: Vvol): string {
  return `/volumes/${id}`;
}

function columnsOf(generation: number, text: Text): Column<Vvol>[] {
  const t = text.policies;
  const applied = (row: Vvol) => row.policy?.generation ?? 0;
  return [
    linkColumn(text.volumes.name, nameOf, pathOf),
    {
      key: 'edition',
      title: t.editions.title,
      by: applied,
      cell: (row) =>
        applied(row) < generation ? (
          <Mark status="warning">
            {t.editions.older(applied(row))}
          </Mark>
        ) : (
          t.editions.current
        ),
      width: 17,
      always: true,
    },
    {
      key: 'compliance',
      title: text.volumes.compliance,
      by: (row) => row.compliance?.status ?? '',
      cell: (row) => <Compliance of={row} text={text} />,
      width: 14,
      grow: 4,
    },
  ];
}
