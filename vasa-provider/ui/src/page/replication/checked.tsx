import { Alert } from '@patternfly/react-core';
import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import type { Call } from '../../api/call';
import { send } from '../../api/send';
import { ProblemAlert } from '../../kit/problem-alert';
import { useText } from '../../text/preferences';

/** Asks the provider if something could be done, without doing it. Each answer is of the moment. */
export function useCheck(ask: Call): UseQueryResult<unknown> {
  return useQuery({
    queryKey: ['preview', ask.path, JSON.stringify(ask.body)],
    gcTime: 0,
    retry: false,
    queryFn: async ({ signal }) => (await send(ask, signal)) ?? null,
  });
}

/** What came of a check: the refusal in the words of the server, or that it can be done. */
export function CheckResult({ check }: { check: UseQueryResult<unknown> }) {
  const t = useText().replication.check;
  if (check.isError && !check.isFetching) {
    return <ProblemAlert error={check.error} retry={() => void check.refetch()} />;
  }
  return check.isFetching ? (
    <p className="c-quiet" role="status" data-check="running">
      {t.checking}
    </p>
  ) : (
    <Alert isInline isPlain variant="success" component="p" title={t.good} data-check="good" />
  );
}
