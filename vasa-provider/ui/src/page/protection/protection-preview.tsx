import { call } from '../../api/call';
import { Preview } from '../../kit/preview';
import { useFormat, useText } from '../../text/preferences';
import type { ProtectionPolicy } from './protection';
import { protectionBody, type ProtectionDraft } from './protection-draft';
import { tierWords } from './rule-words';

interface Props {
  policy: ProtectionPolicy;
  draft: ProtectionDraft;
}

/** What an edit of a protection policy would take from its groups. */
export function ProtectionPolicyPreview({ policy, draft }: Props) {
  const text = useText();
  const format = useFormat();
  const body = protectionBody(draft);
  const ask =
    body && call('POST /protection-policies/{id}/preview', { path: { id: policy.id }, body });
  return (
    <Preview
      ask={ask}
      isBad={({ pointsLost, tiersLost }) => pointsLost > 0 || tiersLost.length > 0}
      sentence={(found) => found.sentence}
    >
      {({ tiersLost }) =>
        tiersLost.length > 0 && (
          <ul>
            {tiersLost.map((tier) => (
              <li key={tier.every}>{tierWords(tier, text, format)}</li>
            ))}
          </ul>
        )
      }
    </Preview>
  );
}
