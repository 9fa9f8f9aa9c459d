import { useMemo, useState } from 'react';
import { useNavigate } from 'react-router';
import { useRows } from '../../api/lists';
import { ActionButton } from '../../kit/action-button';
import { countColumn, linkColumn, textColumn, timeColumn } from '../../kit/columns';
import type { Column } from '../../kit/data-table';
import { ListTable } from '../../kit/list-table';
import type { Text } from '../../text/en';
import type { Format } from '../../text/format';
import { useFormat, useText } from '../../text/preferences';
import { CreateProtectionPolicy } from './policy-forms';
import { KEYS, POLICIES, type ProtectionPolicy } from './protection';
import { ruleWords, tierWords } from './rule-words';

/** All protection policies, with their rules in words. */
export function PolicyTable() {
  const text = useText();
  const format = useFormat();
  const navigate = useNavigate();
  const policies = useRows(KEYS.policies, POLICIES);
  const [creating, setCreating] = useState(false);
  const columns = useMemo(() => columnsOf(text, format), [text, format]);
  return (
    <>
      <ListTable
        query={policies}
        label={text.protection.policies}
        columns={columns}
        idOf={idOf}
        nameOf={nameOf}
        textOf={textOf}
        usualSort="name"
        open={(row) => void navigate(pathOf(row))}
        actions={
          <ActionButton operation="POST /protection-policies" onClick={() => setCreating(true)}>
            {text.protection.createPolicy}
          </ActionButton>
        }
      />
      {creating && <CreateProtectionPolicy close={() => setCreating(false)} />}
    </>
  );
}

function idOf({ id }: ProtectionPolicy): string {
  return id;
}

function nameOf({ name }: ProtectionPolicy): string {
  return name;
}

function textOf({ id, name, description }: ProtectionPolicy): string {
  return [name, id, description].join('\n');
}

function pathOf({ id }: ProtectionPolicy): string {
  return `/protection/policies/${id}`;
}

function columnsOf(text: Text, format: Format): Column<ProtectionPolicy>[] {
  const t = text.protection;
  const rules = (policy: ProtectionPolicy) =>
    policy.rules.map((rule) => ruleWords(rule, text, format)).join('; ');
  const tiers = (policy: ProtectionPolicy) =>
    policy.continuous.map((tier) => tierWords(tier, text, format)).join('; ');
  return [
    linkColumn(text.volumes.name, nameOf, pathOf),
    textColumn('rules', t.rules, rules, { width: 16, grow: 4, always: true }),
    textColumn('tiers', t.tiers, tiers, { width: 13, grow: 2 }),
    countColumn('generation', text.policies.edition, ({ generation }: ProtectionPolicy) => generation),
    textColumn('author', text.policies.author, ({ author }: ProtectionPolicy) => author),
    timeColumn('created', text.policies.created, ({ created }: ProtectionPolicy) => created),
  ];
}
