import { Title } from '@patternfly/react-core';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { call } from '../../api/call';
import { send } from '../../api/send';
import { Chart } from '../../kit/chart';
import type { ChartData } from '../../kit/chart-drawing';
import { ChartTable } from '../../kit/chart-table';
import { QueryCard } from '../../kit/query-card';
import { useFormat, useText } from '../../text/preferences';
import { bytesChart, lagChart, type LagDay } from './lag-day';
import type { Group } from './replication';

const MINUTE_MILLIS = 60_000;

/** How a group's lag was over the last day against its RPO, and what its cycles sent. */
export function LagHistory({ group }: { group: Group }) {
  const { id } = group;
  const history = useQuery({
    queryKey: ['replication', 'history', id],
    refetchInterval: MINUTE_MILLIS,
    queryFn: ({ signal }) => send(call('GET /replication/groups/{id}/history', { path: { id } }), signal),
  });
  return (
    <QueryCard title={useText().replication.past.title} wide query={history}>
      {(day) => <Charts day={day} group={group} />}
    </QueryCard>
  );
}

function Charts({ day, group: { rpo, cycles } }: { day: LagDay; group: Group }) {
  const text = useText();
  const format = useFormat();
  const t = text.replication.past;
  const lag = useMemo(() => lagChart(day, rpo, text, format), [day, rpo, text, format]);
  const bytes = useMemo(() => bytesChart(day, text, format), [day, text, format]);
  return (
    <>
      <OneChart title={text.replication.lag} alt={t.lagAlt} data={lag} />
      {cycles !== null && <OneChart title={t.sent} alt={t.sentAlt} data={bytes} />}
    </>
  );
}

function OneChart({ title, alt, data }: { title: string; alt: string; data: ChartData }) {
  return (
    <section aria-label={title}>
      <Title headingLevel="h3" size="md">
        {title}
      </Title>
      <Chart data={data} label={`${title}: ${alt}`} />
      <ChartTable data={data} label={title} />
    </section>
  );
}
