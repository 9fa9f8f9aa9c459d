import { Button, Content, Progress } from '@patternfly/react-core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { call, type Call, type Output } from '../../api/call';
import { send } from '../../api/send';
import { ActionButton } from '../../kit/action-button';
import { Commands } from '../../kit/commands';
import { Facts } from '../../kit/facts';
import { Figure, Time } from '../../kit/figure';
import { given } from '../../kit/given';
import { QueryCard } from '../../kit/query-card';
import { toast } from '../../kit/toasts';
import { useText } from '../../text/preferences';
import { PoolMap } from './scrub-map';

export type ScrubState = Output<'GET /scrub'>;

const OF = '/scrub';

/** What the scrubber knows. It tells when a pass begins and ends; how far it is has to be asked. */
export function useScrub() {
  return useQuery({
    queryKey: ['scrub'],
    refetchOnMount: 'always',
    queryFn: ({ signal }) => send(call('GET /scrub'), signal),
  });
}

/** The search for damage: how far it is, and what begins, pauses and continues it. */
export function ScrubCard() {
  const text = useText();
  const t = text.housekeeping.damage;
  const scrub = useScrub();
  return (
    <QueryCard title={t.scrub} query={scrub}>
      {(state) => (
        <>
          {state.running && (
            <Progress aria-label={t.progress} value={state.percentDone} title={t.progress} />
          )}
          <Facts
            of={given([
              [t.state, state.paused ? t.paused : state.running ? t.running : t.idle],
              [t.bad, <Figure of={OF} at="/badBlocks" value={state.badBlocks} unit="count" />],
              [
                t.verified,
                <Figure of={OF} at="/bytesVerified" value={state.bytesVerified} unit="bytes" />,
              ],
              [t.started, state.lastStarted && <Time at={state.lastStarted} />],
              [t.ended, state.lastEnded && <Time at={state.lastEnded} />],
            ])}
          />
          {state.findings.length === 0 && <Content component="p">{t.none}</Content>}
          <ScrubButtons state={state} />
          <PoolMap />
        </>
      )}
    </QueryCard>
  );
}

function ScrubButtons({ state }: { state: ScrubState }) {
  const text = useText();
  const t = text.housekeeping.damage;
  const queries = useQueryClient();
  const change = useMutation({
    mutationFn: (wanted: Call<ScrubState>) => send(wanted),
    onSuccess: (now) => queries.setQueryData(['scrub'], now),
    onError: (e) => toast('danger', e.message),
  });
  const start = call('POST /scrub/start');
  return (
    <div>
      <ActionButton
        operation="POST /scrub/start"
        isLoading={change.isPending}
        onClick={() => change.mutate(start)}
      >
        {state.running && !state.paused ? t.hurry : t.start}
      </ActionButton>{' '}
      {state.paused ? (
        <ActionButton
          operation="POST /scrub/resume"
          variant="secondary"
          onClick={() => change.mutate(call('POST /scrub/resume'))}
        >
          {t.resume}
        </ActionButton>
      ) : (
        <ActionButton
          operation="POST /scrub/pause"
          variant="secondary"
          onClick={() => change.mutate(call('POST /scrub/pause'))}
        >
          {t.pause}
        </ActionButton>
      )}{' '}
      <Button
        variant="link"
        onClick={() => void queries.invalidateQueries({ queryKey: ['scrub'] })}
      >
        {text.housekeeping.readAgain}
      </Button>
      <Commands call={start} />
    </div>
  );
}
