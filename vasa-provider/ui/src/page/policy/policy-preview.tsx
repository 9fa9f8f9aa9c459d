import { Link } from 'react-router';
import { call } from '../../api/call';
import { Preview } from '../../kit/preview';
import { useText } from '../../text/preferences';
import type { Policy } from './policy';
import { policyBody, type PolicyDraft } from './policy-draft';

const MOST_SHOWN = 20;

/** What an edit of a storage policy would do to its volumes, were it applied now. */
export function PolicyPreview({ policy, draft }: { policy: Policy; draft: PolicyDraft }) {
  const text = useText();
  const body = policyBody(draft);
  const ask = body && call('POST /policies/{id}/preview', { path: { id: policy.id }, body });
  return (
    <Preview
      ask={ask}
      isBad={({ wouldBreak }) => wouldBreak > 0}
      sentence={(found) => found.sentence}
    >
      {(found) => (
        <>
          <ul>
            {found.items.slice(0, MOST_SHOWN).map((one) => (
              <li key={one.vvol}>
                <Link to={`/volumes/${one.vvol}`} target="_blank">
                  {one.name ?? one.vvol}
                </Link>
                {one.vm !== null && ` (${one.vm})`}: <span lang="en">{one.reason}</span>
              </li>
            ))}
          </ul>
          {found.items.length > MOST_SHOWN && (
            <p>{text.policies.more(found.items.length - MOST_SHOWN)}</p>
          )}
        </>
      )}
    </Preview>
  );
}
