import { Button, Title } from '@patternfly/react-core';
import { DurationField } from '../../kit/duration-field';
import { useText } from '../../text/preferences';
import { MOST_TIERS, newTier, type TierDraft } from './protection-draft';

/** What the fields of tiers are called. */
interface Words {
  tiers: string;
  tiersText: string;
  every: string;
  keepFor: string;
  needed: string;
  addTier: string;
  removeTier: (n: number) => string;
  tier: (n: number) => string;
}

interface Props {
  tiers: readonly TierDraft[];
  set: (tiers: readonly TierDraft[]) => void;
  /** None: those of continuous points. */
  words?: Words;
  usual?: readonly (readonly [string, string])[];
  most?: number;
}

/** What each new tier is at first: the first is close together, and each later one reaches further back. */
const USUAL: readonly (readonly [string, string])[] = [
  ['PT5S', 'PT1H'],
  ['PT1M', 'P1D'],
  ['PT15M', 'P7D'],
  ['PT1H', 'P30D'],
];

/** The tiers of continuous points of a protection policy, or of what else is kept by tiers. */
export function TierFields({ tiers, set, words, usual: all = USUAL, most = MOST_TIERS }: Props) {
  const protection = useText().protection;
  const t = words ?? protection;
  const usual = all[tiers.length];
  return (
    <section aria-label={t.tiers}>
      <Title headingLevel="h2" size="md">
        {t.tiers}
      </Title>
      <p className="c-quiet">{t.tiersText}</p>
      {tiers.map((tier, i) => (
        <TierPart
          key={tier.key}
          tier={tier}
          number={i + 1}
          words={t}
          set={(change) =>
            set(tiers.map((one) => (one.key === tier.key ? { ...one, ...change } : one)))
          }
          remove={() => set(tiers.filter(({ key }) => key !== tier.key))}
        />
      ))}
      {tiers.length < most && (
        <div className="c-actions">
          <Button
            variant="secondary"
            size="sm"
            onClick={() => set([...tiers, newTier(usual?.[0] ?? null, usual?.[1] ?? null)])}
          >
            {t.addTier}
          </Button>
        </div>
      )}
    </section>
  );
}

interface PartProps {
  tier: TierDraft;
  number: number;
  words: Words;
  set: (change: Partial<TierDraft>) => void;
  remove: () => void;
}

function TierPart({ tier, number, words: t, set, remove }: PartProps) {
  const needed = (amount: string) => (amount.trim() === '' ? t.needed : undefined);
  return (
    <fieldset className="c-part">
      <legend>{t.tier(number)}</legend>
      <DurationField
        label={t.every}
        isRequired
        wrong={needed(tier.every.amount)}
        value={tier.every}
        set={(value) => set({ every: value })}
      />
      <DurationField
        label={t.keepFor}
        isRequired
        wrong={needed(tier.keepFor.amount)}
        value={tier.keepFor}
        set={(value) => set({ keepFor: value })}
      />
      <div>
        <Button variant="link" isInline isDanger onClick={remove}>
          {t.removeTier(number)}
        </Button>
      </div>
    </fieldset>
  );
}
