import { Content } from '@patternfly/react-core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'react-router';
import { call } from '../../api/call';
import { send } from '../../api/send';
import { ActionButton } from '../../kit/action-button';
import { Ask } from '../../kit/ask';
import { DurationField } from '../../kit/duration-field';
import { Facts } from '../../kit/facts';
import { Figure, Time } from '../../kit/figure';
import { given } from '../../kit/given';
import { QueryCard } from '../../kit/query-card';
import { toast } from '../../kit/toasts';
import { isoOf, spanOf } from '../../text/duration';
import { useFormat, useText } from '../../text/preferences';

/** Locks of snapshots as a whole. */
export function LockTab() {
  const text = useText();
  const format = useFormat();
  const t = text.housekeeping.locks;
  const [lowering, setLowering] = useState<string | undefined>();
  const locks = useQuery({
    queryKey: ['locks'],
    refetchOnMount: 'always',
    queryFn: ({ signal }) => send(call('GET /locks'), signal),
  });
  return (
    <>
      <br />
      <QueryCard title={t.title} query={locks}>
        {(state) => (
          <>
            <Content component="p">{t.text}</Content>
            <Facts
              of={given([
                [
                  t.locked,
                  <Figure
                    of="/locks"
                    at="/lockedSnapshots"
                    value={state.lockedSnapshots}
                    unit="count"
                  />,
                ],
                [t.first, state.firstEnd && <Time at={state.firstEnd} />],
                [t.longest, format.duration(state.maxLock)],
                [t.time, <Time at={state.lockTime} />],
              ])}
            />
            <br />
            <ActionButton operation="PATCH /locks" onClick={() => setLowering(state.maxLock)}>
              {t.lower}
            </ActionButton>{' '}
            <Link to="/access?tab=approvals">{t.raise}</Link>
          </>
        )}
      </QueryCard>
      {lowering !== undefined && <Lower now={lowering} close={() => setLowering(undefined)} />}
    </>
  );
}

function Lower({ now, close }: { now: string; close: () => void }) {
  const text = useText();
  const t = text.housekeeping.locks;
  const [typed, setTyped] = useState(() => spanOf(now));
  const maxLock = isoOf(typed);
  const wanted =
    maxLock === undefined || maxLock === null
      ? undefined
      : call('PATCH /locks', { body: { maxLock } });
  return (
    <Ask
      title={t.lower}
      wanted={wanted}
      waits={wanted === undefined}
      run={() => send(wanted!)}
      done={() => {
        toast('success', t.lowered);
        close();
      }}
      close={close}
    >
      <p>{t.lowerText}</p>
      <DurationField label={t.longest} isRequired value={typed} set={setTyped} />
    </Ask>
  );
}
