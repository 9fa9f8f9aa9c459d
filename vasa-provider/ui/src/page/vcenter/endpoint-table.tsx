import { useMemo, useState } from 'react';
import { call, type Output } from '../../api/call';
import { type PageCall, useRows } from '../../api/lists';
import { ActionButton } from '../../kit/action-button';
import { countColumn, textColumn, timeColumn } from '../../kit/columns';
import type { Column } from '../../kit/data-table';
import { ListTable } from '../../kit/list-table';
import { Mark } from '../../kit/mark';
import { useSelection } from '../../kit/selection';
import type { Text } from '../../text/en';
import { useText } from '../../text/preferences';
import { AskAboutEndpoint, type EndpointQuestion } from './endpoint-dialogs';

export type Endpoint = Output<'GET /protocol-endpoints'>['items'][number];

const PAGE: PageCall<Endpoint> = (query) => call('GET /protocol-endpoints', { query });

/** Protocol endpoints, through which vVols are bound. */
export function EndpointTable() {
  const text = useText();
  const t = text.vcenters;
  const endpoints = useRows(['protocol-endpoints'], PAGE);
  const selection = useSelection(endpoints.data, idOf);
  const [asked, ask] = useState<EndpointQuestion | undefined>();
  const columns = useMemo(() => columnsOf(text), [text]);
  const { only } = selection;
  return (
    <>
      <ListTable
        label={t.endpoints}
        query={endpoints}
        columns={columns}
        idOf={idOf}
        nameOf={(row) => `${t.lun} ${row.lun}`}
        textOf={(row) => `${row.lun}\n${row.naa}`}
        usualSort="lun"
        selection={selection}
        actions={
          <>
            <ActionButton operation="POST /protocol-endpoints" onClick={() => ask({ what: 'add' })}>
              {t.add}
            </ActionButton>
            {only !== undefined && <EndpointActions endpoint={only} ask={ask} />}
          </>
        }
      />
      {asked !== undefined && <AskAboutEndpoint question={asked} close={() => ask(undefined)} />}
    </>
  );
}

function EndpointActions(props: {
  endpoint: Endpoint;
  ask: (question: EndpointQuestion) => void;
}) {
  const { endpoint, ask } = props;
  const text = useText();
  const t = text.vcenters;
  const { lun, inService } = endpoint;
  return (
    <>
      <ActionButton
        operation="POST /protocol-endpoints/{lun}/retire"
        variant="secondary"
        reason={inService || endpoint.bindings > 0 ? undefined : t.isRetiredAlready}
        onClick={() => ask({ what: 'retire', lun })}
      >
        {t.retire}
      </ActionButton>
      <ActionButton
        operation="POST /protocol-endpoints/{lun}/restore"
        variant="secondary"
        reason={inService ? t.isInService : undefined}
        onClick={() => ask({ what: 'restore', lun })}
      >
        {t.restore}
      </ActionButton>
      <ActionButton
        operation="DELETE /protocol-endpoints/{lun}"
        variant="danger"
        reason={staysOf(endpoint, text)}
        onClick={() => ask({ what: 'delete', lun })}
      >
        {text.common.delete}
      </ActionButton>
    </>
  );
}

/** Why an endpoint cannot be removed; absent if it can. */
function staysOf({ inService, bindings, leaving }: Endpoint, text: Text): string | undefined {
  const { stays } = text.vcenters;
  return inService
    ? stays.inService
    : bindings > 0
      ? stays.bound(bindings)
      : leaving > 0
        ? stays.leaving(leaving)
        : undefined;
}

function idOf(row: Endpoint): string {
  return String(row.lun);
}

function columnsOf(text: Text): Column<Endpoint>[] {
  const t = text.vcenters;
  return [
    countColumn('lun', t.lun, (row) => row.lun, { width: 5, always: true }),
    {
      key: 'state',
      title: t.state,
      by: (row) => Number(row.inService),
      cell: (row) => (
        <Mark status={row.inService ? 'success' : 'warning'}>
          {row.inService ? t.inService : t.retired}
        </Mark>
      ),
      width: 10,
      always: true,
    },
    countColumn('bindings', t.bindings, (row) => row.bindings, { always: true }),
    countColumn('leaving', t.leaving, (row) => row.leaving),
    timeColumn('retired', t.retiredSince, (row) => row.retiredSince),
    textColumn('naa', 'NAA', (row) => row.naa, { width: 14, grow: 2 }),
  ];
}
