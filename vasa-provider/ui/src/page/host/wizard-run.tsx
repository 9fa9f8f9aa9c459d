import { Alert, Button, Content, Spinner } from '@patternfly/react-core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { call, type Output } from '../../api/call';
import { send } from '../../api/send';
import { Commands } from '../../kit/commands';
import { ProblemAlert } from '../../kit/problem-alert';
import { useText } from '../../text/preferences';
import { AttachLines } from './attach-lines';
import { refusalId } from './refused-logins';
import { type Done, known, next, type Wanted } from './wizard-plan';

/** While the wizard waits, it looks each two seconds: nobody leaves it open for long. */
const LOOK_MILLIS = 2_000;
const MOST_REFUSED = 100;

interface Props {
  wanted: Wanted;
  /** Those of the host if it was there before. */
  initiators: readonly string[];
  close: () => void;
}

/** The doing, call by call, and the wait for the host. */
export function WizardRun({ wanted, initiators, close }: Props) {
  const text = useText();
  const t = text.hosts.wizard;
  const [done, setDone] = useState<Done>(() => known(wanted, initiators));
  const step = next(wanted, done, initiators);
  const run = useMutation({
    mutationFn: async () => {
      let now = done;
      for (let at = next(wanted, now, initiators); at; at = next(wanted, now, initiators)) {
        now = at.done(await send(at.call));
        setDone(now);
      }
    },
  });
  if (step === undefined) {
    return (
      <Wait disk={done.disk!} host={done.host!.id} initiators={done.host!.initiators} close={close} />
    );
  }
  return (
    <>
      <Content component="p">{t.ready}</Content>
      {run.isError && <ProblemAlert error={run.error} />}
      <Commands call={step.call} />
      <br />
      <Button isLoading={run.isPending} isDisabled={run.isPending} onClick={() => run.mutate()}>
        {run.isError ? text.problem.retry : t.doIt}
      </Button>
    </>
  );
}

type RefusedLogin = Output<'GET /iscsi/refused-logins'>['items'][number];

function readRefused({ signal }: { signal: AbortSignal }) {
  return send(call('GET /iscsi/refused-logins', { query: { limit: MOST_REFUSED } }), signal);
}

/** Those that were refused since, or once more since; none as long as it is not known what was before. */
function newer(
  now: readonly RefusedLogin[],
  before: readonly RefusedLogin[] | undefined,
): readonly RefusedLogin[] {
  const last = new Map((before ?? now).map((one) => [refusalId(one), one.last]));
  return now.filter((one) => last.get(refusalId(one)) !== one.last);
}

interface WaitProps {
  disk: string;
  host: string;
  initiators: readonly string[];
  close: () => void;
}

function Wait({ disk, host, initiators, close }: WaitProps) {
  const text = useText();
  const t = text.hosts.wizard;
  const [over, setOver] = useState(false);
  const refetchInterval = over ? false : LOOK_MILLIS;
  const unit = useQuery({
    queryKey: ['exports', disk],
    refetchInterval,
    queryFn: async ({ signal }) => {
      const found = await send(call('GET /exports/{vvol}', { path: { vvol: disk } }), signal);
      setOver(found.reachedBy.length > 0);
      return found;
    },
  });
  const connected = useQuery({
    queryKey: ['hosts', host],
    refetchInterval,
    queryFn: ({ signal }) => send(call('GET /hosts/{id}', { path: { id: host } }), signal),
  });
  const refused = useQuery({
    queryKey: ['refused-logins', 'newest'],
    refetchInterval,
    queryFn: readRefused,
  });
  // What was refused before is known by what it was then: the clocks of both sides may differ.
  const before = useQuery({
    queryKey: ['refused-logins', 'before', disk],
    staleTime: Infinity,
    gcTime: 0,
    queryFn: readRefused,
  });
  const paths = connected.data?.connections.length ?? 0;
  const newest = newer(refused.data?.items ?? [], before.data?.items);
  const own = newest.filter((one) => initiators.includes(one.initiator ?? ''));
  const others = newest.filter((one) => !own.includes(one));
  return (
    <>
      {over ? (
        <Alert isInline variant="success" title={t.seen} component="p" data-wizard="seen" />
      ) : (
        <Alert
          isInline
          variant={paths > 0 ? 'info' : 'custom'}
          customIcon={paths > 0 ? undefined : <Spinner size="md" aria-label={t.waiting} />}
          title={paths > 0 ? t.loggedIn(paths) : t.waiting}
          component="p"
          data-wizard={paths > 0 ? 'logged-in' : 'waiting'}
        />
      )}
      {[...own, ...(paths > 0 || over ? [] : others)].map((one) => (
        <Alert
          key={refusalId(one)}
          isInline
          variant="warning"
          component="p"
          lang="en"
          title={`${one.initiator ?? one.address}: ${one.sentence}`}
        >
          {one.remedy}
        </Alert>
      ))}
      <Content component="p">{t.attach}</Content>
      {unit.isError && <ProblemAlert error={unit.error} />}
      {unit.data !== undefined && <AttachLines commands={unit.data.commands} />}
      <br />
      <Button variant={over ? 'primary' : 'secondary'} onClick={close}>
        {text.common.close}
      </Button>
    </>
  );
}
