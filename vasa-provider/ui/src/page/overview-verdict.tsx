import { Alert, ExpandableSection, Skeleton } from '@patternfly/react-core';
import { useQuery } from '@tanstack/react-query';
import { call } from '../api/call';
import { send } from '../api/send';
import { ProblemAlert } from '../kit/problem-alert';
import { useText } from '../text/preferences';

const VARIANTS = { ok: 'success', warning: 'warning', failing: 'danger' } as const;

/** Whether the provider is well, in one sentence, with what was looked at below. */
export function Verdict() {
  const text = useText();
  const verdict = useQuery({
    queryKey: ['alerts', 'verdict'],
    queryFn: ({ signal }) => send(call('GET /system/verdict'), signal),
  });
  if (verdict.isError) {
    return (
      <div className="c-wide">
        <ProblemAlert error={verdict.error} retry={() => void verdict.refetch()} />
      </div>
    );
  }
  if (verdict.data === undefined) {
    return (
      <div className="c-wide">
        <Skeleton screenreaderText={text.common.loading} />
      </div>
    );
  }
  const { status, sentence, remedy, checks } = verdict.data;
  return (
    <div className="c-wide" data-verdict={status}>
      <Alert
        isInline
        variant={VARIANTS[status]}
        component="h2"
        title={<span lang="en">{sentence}</span>}
      >
        {remedy !== null && (
          <p>
            <strong>{text.overview.remedy}:</strong> <span lang="en">{remedy}</span>
          </p>
        )}
        <ExpandableSection toggleText={text.overview.checks(checks.length)}>
          <ul lang="en">
            {checks.map((check) => (
              <li key={check.topic}>
                <strong>{check.topic}</strong> ({check.outcome}): {check.seen}
                {check.remedy !== null && ` ${check.remedy}`}
              </li>
            ))}
          </ul>
        </ExpandableSection>
      </Alert>
    </div>
  );
}
