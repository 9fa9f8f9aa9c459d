import { Content } from '@patternfly/react-core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link, useNavigate, useParams } from 'react-router';
import { call } from '../../api/call';
import { useRows } from '../../api/lists';
import { send } from '../../api/send';
import { ActionButton } from '../../kit/action-button';
import { Facts } from '../../kit/facts';
import { Figure, Time } from '../../kit/figure';
import { PageFrame } from '../../kit/page-frame';
import { QueryCard } from '../../kit/query-card';
import { useFormat, useText } from '../../text/preferences';
import { DeleteProtectionPolicy, EditProtectionPolicy } from './policy-forms';
import { type Group, GROUPS, KEYS, type ProtectionPolicy } from './protection';
import { ruleWords, tierWords, watchWords } from './rule-words';

/** One protection policy: its rules and tiers in words, and the groups that it protects. */
export default function ProtectionPolicyPage() {
  const text = useText();
  const id = useParams().id!;
  const t = text.protection;
  const policy = useQuery({
    queryKey: ['protection', 'policy', id],
    queryFn: ({ signal }) =>
      send(call('GET /protection-policies/{id}', { path: { id } }), signal),
  });
  const groups = useRows(KEYS.groups, GROUPS);
  const data = policy.data;
  const own = groups.data?.rows.filter((group) => group.policy === id) ?? [];
  return (
    <PageFrame
      title={data?.name ?? id}
      from={{ to: '/protection', title: t.title }}
      head={data !== undefined && <Actions policy={data} groups={own.length} />}
    >
      <div className="c-cards">
        <QueryCard title={t.rules} query={policy}>
          {(found) => <Rules policy={found} />}
        </QueryCard>
        <QueryCard title={t.tiers} query={policy}>
          {(found) => <Tiers policy={found} />}
        </QueryCard>
        <QueryCard title={text.policies.about} query={policy}>
          {(found) => <About policy={found} />}
        </QueryCard>
        <QueryCard title={t.groups} query={groups}>
          {() => <Groups groups={own} />}
        </QueryCard>
      </div>
    </PageFrame>
  );
}

function Rules({ policy }: { policy: ProtectionPolicy }) {
  const text = useText();
  const format = useFormat();
  return policy.rules.length === 0 ? (
    <p>{text.protection.noRules}</p>
  ) : (
    <Facts of={policy.rules.map((rule) => [rule.name ?? '', ruleWords(rule, text, format)])} />
  );
}

function Tiers({ policy }: { policy: ProtectionPolicy }) {
  const text = useText();
  const format = useFormat();
  const tiers = policy.continuous.map((tier) => tierWords(tier, text, format));
  return (
    <>
      {tiers.length === 0 && <p>{text.protection.noTiers}</p>}
      <Content component="ul">
        {tiers.map((tier) => (
          <li key={tier}>{tier}</li>
        ))}
      </Content>
    </>
  );
}

function About({ policy }: { policy: ProtectionPolicy }) {
  const text = useText();
  const format = useFormat();
  const { id, generation } = policy;
  return (
    <Facts
      of={[
        [text.forms.edit.description, policy.description],
        [
          text.policies.edition,
          <Figure
            of={`/protection-policies/${id}`}
            at="/generation"
            value={generation}
            unit="count"
          />,
        ],
        [text.protection.watch, watchWords(policy.watch, text, format)],
        [text.policies.author, policy.author],
        [text.policies.created, <Time at={policy.created} />],
      ]}
    />
  );
}

function Groups({ groups }: { groups: readonly Group[] }) {
  const text = useText();
  return groups.length === 0 ? (
    <p>{text.protection.deletePolicyText}</p>
  ) : (
    <Content component="ul">
      {groups.map(({ id, name }) => (
        <li key={id}>
          <Link className="c-wrap" to={`/protection?tab=groups&q=${encodeURIComponent(name)}`}>
            {name}
          </Link>
        </li>
      ))}
    </Content>
  );
}

function Actions({ policy, groups }: { policy: ProtectionPolicy; groups: number }) {
  const text = useText();
  const navigate = useNavigate();
  const [asking, setAsking] = useState<'edit' | 'delete' | undefined>();
  const close = () => setAsking(undefined);
  return (
    <>
      <div className="c-actions">
        <ActionButton operation="PUT /protection-policies/{id}" onClick={() => setAsking('edit')}>
          {text.forms.edit.edit}
        </ActionButton>
        <ActionButton
          operation="DELETE /protection-policies/{id}"
          variant="danger"
          reason={groups > 0 ? text.protection.inUse(groups) : undefined}
          onClick={() => setAsking('delete')}
        >
          {text.common.delete}
        </ActionButton>
      </div>
      {asking === 'edit' && <EditProtectionPolicy policy={policy} close={close} />}
      {asking === 'delete' && (
        <DeleteProtectionPolicy
          policy={policy}
          gone={() => void navigate('/protection')}
          close={close}
        />
      )}
    </>
  );
}
