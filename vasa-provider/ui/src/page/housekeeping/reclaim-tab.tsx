import { Alert, Button, Checkbox, Content } from '@patternfly/react-core';
import { useQuery } from '@tanstack/react-query';
import { useId, useMemo, useState } from 'react';
import { Link, useSearchParams } from 'react-router';
import { call, type Output, urlOf } from '../../api/call';
import { send } from '../../api/send';
import { bytesColumn, linkColumn, textColumn, timeColumn } from '../../kit/columns';
import { Commands } from '../../kit/commands';
import { type Column, DataTable } from '../../kit/data-table';
import { TextField } from '../../kit/field';
import { Figure } from '../../kit/figure';
import { ProblemAlert } from '../../kit/problem-alert';
import type { Text } from '../../text/en';
import { type Format, parseSize } from '../../text/format';
import { useFormat, useText } from '../../text/preferences';

type Plan = Output<'GET /space/reclaimable'>;
type Step = Plan['items'][number];

/** What would have to go to win back so much space, and the way to each of it. */
export function ReclaimTab() {
  const text = useText();
  const t = text.housekeeping.space;
  const [search] = useSearchParams();
  const need = search.get('need') ?? '';
  const volumes = search.get('volumes') === 'true';
  const bytes = parseSize(need);
  return (
    <>
      <Content component="p">
        {t.text} {t.bin} <Link to="/bin">{t.toBin}</Link>
      </Content>
      <NeedForm need={need} volumes={volumes} />
      {bytes !== undefined && <Found bytes={bytes} volumes={volumes} />}
    </>
  );
}

function NeedForm({ need, volumes }: { need: string; volumes: boolean }) {
  const text = useText();
  const format = useFormat();
  const t = text.housekeeping.space;
  const id = useId();
  const [, setSearch] = useSearchParams();
  const [typed, setTyped] = useState(need);
  const [withVolumes, setWithVolumes] = useState(volumes);
  const bytes = parseSize(typed);
  return (
    <form
      className="pf-v6-c-form c-filters"
      onSubmit={(event) => {
        event.preventDefault();
        if (bytes !== undefined) {
          const next = new URLSearchParams({ tab: 'space', need: typed.trim() });
          if (withVolumes) {
            next.set('volumes', 'true');
          }
          setSearch(next, { replace: true });
        }
      }}
    >
      <TextField
        label={t.need}
        help={bytes === undefined ? t.needHelp : format.bytes(bytes)}
        wrong={typed === '' || bytes !== undefined ? undefined : t.needHelp}
        isRequired
        value={typed}
        set={setTyped}
      />
      <Checkbox
        id={id}
        label={t.volumes}
        isChecked={withVolumes}
        onChange={(_, checked) => setWithVolumes(checked)}
      />
      <Button type="submit" isDisabled={bytes === undefined}>
        {t.find}
      </Button>
    </form>
  );
}

function Found({ bytes, volumes }: { bytes: number; volumes: boolean }) {
  const text = useText();
  const format = useFormat();
  const t = text.housekeeping.space;
  const wanted = call('GET /space/reclaimable', {
    query: { bytes, ...(volumes ? { volumes } : {}) },
  });
  const plan = useQuery({
    queryKey: ['space', 'reclaimable', bytes, volumes],
    gcTime: 0,
    queryFn: ({ signal }) => send(wanted, signal),
  });
  const columns = useMemo(() => columnsOf(text, format), [text, format]);
  const data = plan.data;
  const list = useMemo(
    () => data && { rows: data.items, total: data.items.length, complete: true },
    [data],
  );
  return (
    <>
      {plan.isError && <ProblemAlert error={plan.error} retry={() => void plan.refetch()} />}
      {data !== undefined && <Answer plan={data} of={pathOf(urlOf(wanted))} />}
      <DataTable
        label={t.list}
        list={list}
        columns={columns}
        idOf={idOf}
        nameOf={nameOf}
        textOf={(row) => `${nameOf(row)}\n${row.id}`}
        usualSort="total"
      />
      <Commands call={wanted} />
    </>
  );
}

function Answer({ plan, of }: { plan: Plan; of: string }) {
  const text = useText();
  const t = text.housekeeping.space;
  return (
    <>
      <p>
        <strong>
          {t.found} <Figure of={of} at="/bytes" value={plan.bytes} unit="bytes" />
          {plan.atLeast && ` ${t.atLeast}`}
        </strong>
        , {t.candidates}: <Figure of={of} at="/candidates" value={plan.candidates} unit="count" />
      </p>
      <p lang="en">{plan.sentence}</p>
      {!plan.enough && <Alert isInline variant="warning" title={t.notEnough} component="p" />}
    </>
  );
}

/** The path of a URL of the API without where the API begins, as figures name it. */
function pathOf(url: string): string {
  return url.replace(/^\/api\/v1/, '');
}

function idOf(row: Step): string {
  return row.id;
}

function nameOf(row: Step): string {
  return row.name ?? row.id;
}

/** The page on which it is deleted: a snapshot's is that of its volume. */
function pageOf(row: Step): string {
  return `/volumes/${row.vvol ?? row.id}`;
}

function columnsOf(text: Text, format: Format): Column<Step>[] {
  const t = text.housekeeping.space;
  return [
    linkColumn(t.name, nameOf, pageOf),
    textColumn('kind', t.kind, (row) => t.kinds[row.kind]),
    timeColumn('created', t.created, (row) => row.created),
    bytesColumn('total', t.total, (row) => row.total, format, { always: true, width: 9 }),
  ];
}
