import { Content } from '@patternfly/react-core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Call, OperationKey, Output } from '../../api/call';
import { sendJob } from '../../api/job';
import { send } from '../../api/send';
import { ActionButton } from '../../kit/action-button';
import { Ask } from '../../kit/ask';
import { QueryCard } from '../../kit/query-card';
import { toast } from '../../kit/toasts';
import { useFormat, useText } from '../../text/preferences';
import { ExportAt } from './export-at';
import { NameIt } from './name-it';

type View = Output<'GET /vms/{id}/timeline'>;
type Job = Output<'GET /jobs/{id}'>;

interface Props {
  name: string;
  read: Call<View>;
  revert: { operation: OperationKey; call: (moment: string) => Call<Job> };
  clone: {
    operation: OperationKey;
    call: (moment: string, name: string) => Call;
    /** Sends the call, waits for its job if it is one, and tells the ids of what was made. */
    send: (call: Call) => Promise<readonly string[]>;
  };
}

const SECOND = 1000;
/** Points come all the time: who takes the slider finds those of the last seconds. */
const FRESH_MILLIS = 5000;
const WHOLE_SECOND = 19; // the length of 2026-11-01T12:00:00

/** The way back to any moment: a slider over all that is kept. */
export function TimelineCard(props: Props) {
  const text = useText();
  const timeline = useQuery({
    queryKey: ['timeline', props.read.path],
    queryFn: ({ signal }) => send(props.read, signal),
  });
  const refresh = () => {
    if (Date.now() - timeline.dataUpdatedAt > FRESH_MILLIS) {
      void timeline.refetch();
    }
  };
  return (
    <QueryCard title={text.object.timeline} query={timeline} wide>
      {(view) =>
        view.oldest === null || view.newest === null ? (
          <p>{text.object.noTimeline}</p>
        ) : (
          <Slider
            {...props}
            view={view}
            oldest={view.oldest}
            newest={view.newest}
            refresh={refresh}
          />
        )
      }
    </QueryCard>
  );
}

interface SliderProps extends Props {
  view: View;
  oldest: string;
  newest: string;
  refresh: () => void;
}

function Slider(props: SliderProps) {
  const { view, oldest, newest, refresh, name, revert, clone } = props;
  const text = useText();
  const format = useFormat();
  const t = text.object;
  const from = Date.parse(oldest);
  const to = Math.max(Date.parse(newest), from + SECOND);
  // The last step ends behind the newest point, which it stands for: the one before is another.
  const end = from + Math.ceil((to - from) / SECOND) * SECOND;
  const [chosen, choose] = useState(end);
  const at = Math.min(chosen, to);
  const [asking, setAsking] = useState<'revert' | 'clone' | 'export' | undefined>();
  const moment = new Date(at).toISOString();
  const suggested = `${name} ${moment.slice(0, WHOLE_SECOND)}`;
  const close = () => setAsking(undefined);
  return (
    <>
      <label htmlFor="moment">{t.moment(format.time(at))}</label>
      <input
        id="moment"
        type="range"
        className="c-slider"
        min={from}
        max={end}
        step={SECOND}
        value={chosen}
        aria-valuetext={format.time(at)}
        onFocus={refresh}
        onPointerEnter={refresh}
        onChange={(event) => choose(Number(event.target.value))}
      />
      <p className="c-quiet">
        {t.reach(format.time(from), format.time(to), view.points, format.bytes(view.kept))}
      </p>
      <ActionButton operation={clone.operation} onClick={() => setAsking('clone')}>
        {t.cloneAt}
      </ActionButton>{' '}
      <ActionButton
        operation="POST /exports"
        variant="secondary"
        onClick={() => setAsking('export')}
      >
        {t.exportAt}
      </ActionButton>{' '}
      <ActionButton
        operation={revert.operation}
        variant="danger"
        onClick={() => setAsking('revert')}
      >
        {t.revertTo}
      </ActionButton>
      {asking === 'revert' && (
        <Revert
          name={name}
          at={format.time(at)}
          wanted={revert.call(moment)}
          undo={revert.call}
          close={close}
        />
      )}
      {asking === 'clone' && (
        <NameIt
          title={t.cloneTitle(format.time(at))}
          action={t.cloneAt}
          suggested={suggested}
          wanted={(made) => clone.call(moment, made)}
          send={clone.send}
          said={text.volumes.created_}
          close={close}
        />
      )}
      {asking === 'export' && (
        <ExportAt
          at={format.time(at)}
          suggested={suggested}
          clone={(made) => clone.send(clone.call(moment, made))}
          close={close}
        />
      )}
    </>
  );
}

interface RevertProps {
  name: string;
  at: string;
  wanted: Call<Job>;
  undo: (moment: string) => Call<Job>;
  close: () => void;
}

function Revert({ name, at, wanted, undo, close }: RevertProps) {
  const text = useText();
  const t = text.object;

  async function run(): Promise<void> {
    const before = (await sendJob(wanted)).result?.undo;
    toast(
      'success',
      t.reverted(name, at),
      before === null || before === undefined
        ? undefined
        : () =>
            void sendJob(undo(before)).then(
              () => toast('success', t.revertUndone(name)),
              (e: Error) => toast('danger', e.message),
            ),
    );
  }

  return (
    <Ask
      title={t.revertTitle(name, at)}
      action={t.revertTo}
      danger
      wanted={wanted}
      run={run}
      close={close}
    >
      <Content component="p">{t.revertText}</Content>
    </Ask>
  );
}
