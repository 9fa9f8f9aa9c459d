import { useMemo, useState } from 'react';
import { useNavigate } from 'react-router';
import { useRows } from '../../api/lists';
import { ActionButton } from '../../kit/action-button';
import { countColumn, linkColumn, textColumn, timeColumn } from '../../kit/columns';
import type { Column } from '../../kit/data-table';
import { ListTable } from '../../kit/list-table';
import { PageFrame } from '../../kit/page-frame';
import type { Text } from '../../text/en';
import type { Format } from '../../text/format';
import { useFormat, useText } from '../../text/preferences';
import { POLICIES, type Policy } from './policy';
import { CreatePolicy } from './policy-forms';
import { demandsOf } from './policy-words';

/** All storage policies, with what each demands. */
export default function PoliciesPage() {
  const text = useText();
  const format = useFormat();
  const navigate = useNavigate();
  const policies = useRows(['policies'], POLICIES);
  const [creating, setCreating] = useState(false);
  const columns = useMemo(() => columnsOf(text, format), [text, format]);
  return (
    <PageFrame title={text.policies.title}>
      <ListTable
        query={policies}
        label={text.policies.title}
        columns={columns}
        idOf={idOf}
        nameOf={nameOf}
        textOf={textOf}
        usualSort="name"
        open={(row) => void navigate(pathOf(row))}
        actions={
          <ActionButton operation="POST /policies" onClick={() => setCreating(true)}>
            {text.policies.create}
          </ActionButton>
        }
      />
      {creating && <CreatePolicy close={() => setCreating(false)} />}
    </PageFrame>
  );
}

function idOf({ id }: Policy): string {
  return id;
}

function nameOf({ name }: Policy): string {
  return name;
}

function textOf({ id, name, description }: Policy): string {
  return [name, id, description].join('\n');
}

function pathOf({ id }: Policy): string {
  return `/policies/${id}`;
}

function columnsOf(text: Text, format: Format): Column<Policy>[] {
  const t = text.policies;
  const demands = (policy: Policy) =>
    demandsOf(policy, text, format).join(' ') || t.demandsNothing;
  return [
    linkColumn(text.volumes.name, nameOf, pathOf),
    textColumn('demands', t.demands, demands, { width: 16, grow: 4, always: true }),
    textColumn('description', text.forms.edit.description, ({ description }: Policy) => description, {
      grow: 2,
    }),
    countColumn('generation', t.edition, ({ generation }: Policy) => generation),
    textColumn('author', t.author, ({ author }: Policy) => author),
    timeColumn('created', t.created, ({ created }: Policy) => created),
  ];
}
