import { Button, Title } from '@patternfly/react-core';
import { useMemo } from 'react';
import { DurationField } from '../../kit/duration-field';
import { ChoiceField, TextField } from '../../kit/field';
import { useFormat, useText } from '../../text/preferences';
import { KINDS, newRule, ruleBody, type RuleDraft, type RuleKind, wrongOf } from './rule-draft';
import { RuleTimes } from './rule-times';
import { ruleWords } from './rule-words';

interface Props {
  rules: readonly RuleDraft[];
  set: (rules: readonly RuleDraft[]) => void;
}

/** The rules of a protection policy: a part for each, and buttons that add one with usual values. */
export function RuleFields({ rules, set }: Props) {
  const text = useText();
  const t = text.protection;
  const names = rules.map(({ name }) => name);
  const zone = useMemo(() => Intl.DateTimeFormat().resolvedOptions().timeZone, []);
  return (
    <section aria-label={t.rules}>
      <Title headingLevel="h2" size="md">
        {t.rules}
      </Title>
      <p className="c-quiet">{t.rulesText}</p>
      {rules.map((rule, i) => (
        <RulePart
          key={rule.key}
          rule={rule}
          isDouble={names.indexOf(rule.name) !== i}
          set={(change) =>
            set(rules.map((one) => (one.key === rule.key ? { ...one, ...change } : one)))
          }
          remove={() => set(rules.filter(({ key }) => key !== rule.key))}
        />
      ))}
      <div className="c-actions">
        <span>{t.addRule}</span>
        {KINDS.map((kind) => (
          <Button
            key={kind}
            variant="secondary"
            size="sm"
            onClick={() => set([...rules, newRule(kind, rules, zone)])}
          >
            {t.kinds[kind]}
          </Button>
        ))}
      </div>
    </section>
  );
}

interface PartProps {
  rule: RuleDraft;
  /** Whether a rule before it has its name. */
  isDouble: boolean;
  set: (change: Partial<RuleDraft>) => void;
  remove: () => void;
}

function RulePart({ rule, isDouble, set, remove }: PartProps) {
  const text = useText();
  const format = useFormat();
  const t = text.protection;
  const body = ruleBody(rule);
  return (
    <fieldset className="c-part">
      <legend className="c-wrap">{t.rule(rule.name)}</legend>
      <ChoiceField
        label={t.kind}
        value={rule.kind}
        set={(kind) => set({ kind: kind as RuleKind })}
        choices={KINDS.map((kind) => ({ value: kind, label: t.kinds[kind] }))}
      />
      <RuleTimes rule={rule} set={set} />
      <Keeping rule={rule} set={set} />
      <TextField
        label={t.ruleName}
        isRequired
        maxLength={32}
        wrong={isDouble || wrongOf(rule) === 'name' ? t.ruleNameWrong : undefined}
        value={rule.name}
        set={(name) => set({ name })}
      />
      <TextField
        label={t.pattern}
        help={t.patternHelp}
        maxLength={80}
        value={rule.pattern}
        set={(pattern) => set({ pattern })}
      />
      {body !== undefined && <p className="c-wide c-wrap">{ruleWords(body, text, format)}</p>}
      <div>
        <Button variant="link" isInline isDanger onClick={remove}>
          {t.removeRule(rule.name)}
        </Button>
      </div>
    </fieldset>
  );
}

function Keeping({ rule, set }: Pick<PartProps, 'rule' | 'set'>) {
  const t = useText().protection;
  const isWrong = wrongOf(rule) === 'keep';
  return (
    <>
      <ChoiceField
        label={t.keep}
        value={rule.keep}
        set={(keep) => set({ keep: keep === 'time' ? 'time' : 'count' })}
        choices={[
          { value: 'count', label: t.keeps.count },
          { value: 'time', label: t.keeps.time },
        ]}
      />
      {rule.keep === 'count' ? (
        <TextField
          label={t.keepCount}
          isRequired
          inputMode="numeric"
          wrong={isWrong ? t.countWrong : undefined}
          value={rule.keepCount}
          set={(keepCount) => set({ keepCount })}
        />
      ) : (
        <DurationField
          label={t.keepFor}
          isRequired
          wrong={isWrong ? t.needed : undefined}
          value={rule.keepFor}
          set={(keepFor) => set({ keepFor })}
        />
      )}
      <DurationField
        label={t.lock}
        help={t.lockHelp}
        value={rule.lock}
        set={(lock) => set({ lock })}
      />
    </>
  );
}
