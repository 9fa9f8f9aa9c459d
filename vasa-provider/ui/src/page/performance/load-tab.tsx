import { Card, CardBody, CardTitle, EmptyState, Skeleton } from '@patternfly/react-core';
import { useMemo } from 'react';
import { Link } from 'react-router';
import { call } from '../../api/call';
import { ProblemAlert } from '../../kit/problem-alert';
import { type LiveFigures, useFiguresOf } from '../../live/figures';
import { useText } from '../../text/preferences';
import { WhySlow } from '../object/diagnosis';
import { LimitChanges } from './limit-changes';
import { useLimitChanges } from './limit-marks';
import { pageOf, subjectOf } from './load-object';
import { type Named, useNamed } from './names';
import { ObjectPicker } from './object-picker';
import { type Past, useFilled, usePasts } from './pasts';
import { SideBySide } from './side-by-side';
import { useShown } from './shown-state';
import { WindowBar } from './window-bar';

/** The load of some objects side by side, and why each of them is slow. */
export function LoadTab() {
  const text = useText();
  const shown = useShown();
  const named = useNamed(shown.objects);
  const live = useLive(named, shown.fixed === undefined);
  const pasts = usePasts(shown);
  const changes = useLimitChanges(shown);
  useFilled(pasts.data, live, pasts.refetch);

  function readAgain(): void {
    void pasts.refetch();
    void changes.refetch();
  }

  return (
    <>
      <br />
      <ObjectPicker named={named} set={shown.setObjects} />
      <WindowBar shown={shown} readAgain={readAgain} isReading={pasts.isFetching} />
      {named.length === 0 ? (
        <EmptyState titleText={text.performance.noObject} headingLevel="h2" />
      ) : (
        <div className="c-cards">
          <Card className="c-wide">
            <CardTitle component="h2">{text.overview.load}</CardTitle>
            <CardBody>
              <Notes named={named} pasts={pasts.data} isFixed={shown.fixed !== undefined} />
              {pasts.isError && <ProblemAlert error={pasts.error} retry={readAgain} />}
              {changes.isError && <ProblemAlert error={changes.error} retry={readAgain} />}
              {pasts.data === undefined ? (
                <Skeleton screenreaderText={text.common.loading} />
              ) : (
                <SideBySide
                  named={named}
                  pasts={pasts.data}
                  live={live}
                  changes={changes.data ?? []}
                  shown={shown}
                />
              )}
              <LimitChanges changes={changes.data ?? []} />
            </CardBody>
          </Card>
          {named.map((one) => (
            <Why key={one.key} named={one} />
          ))}
        </div>
      )}
    </>
  );
}

/** The figures of right now by the keys of their objects; empty where none come. */
function useLive(
  named: readonly Named[],
  wanted: boolean,
): ReadonlyMap<string, readonly LiveFigures[]> {
  // The stream refuses an object that is not there, and all others with it.
  const followed = named.flatMap(({ object, key, isFound }) => {
    const subject = subjectOf(object);
    return wanted && isFound && subject !== undefined ? { key, subject } : [];
  });
  const figures = useFiguresOf(followed.map(({ subject }) => subject));
  const keys = followed.map(({ key }) => key).join('/');
  return useMemo(
    () => new Map(followed.map(({ key }, i) => [key, figures[i] ?? []] as const)),
    [keys, figures],
  );
}

interface NotesProps {
  named: readonly Named[];
  pasts: readonly Past[] | undefined;
  isFixed: boolean;
}

/** What cannot be read, what is not recorded, and what does not come by itself. */
function Notes({ named, pasts = [], isFixed }: NotesProps) {
  const text = useText();
  const t = text.performance;
  const obstacles = new Set(pasts.flatMap(({ history }) => history?.obstacle ?? []));
  const silent = named.filter(({ object }) => subjectOf(object) === undefined);
  return (
    <div className="c-words">
      {named
        .filter(({ isGone }) => isGone)
        .map(({ key, name }) => (
          <p key={key}>{t.gone(name)}</p>
        ))}
      {pasts.map(({ key, error }) => error !== undefined && <ProblemAlert key={key} error={error} />)}
      {[...obstacles].map((obstacle) => (
        <p key={obstacle} lang="en">
          {obstacle}
        </p>
      ))}
      {!isFixed && (
        <p className="c-quiet">
          {silent.length === 0
            ? t.isLive
            : t.notLive(silent.map(({ name }) => name).join(', '))}
        </p>
      )}
    </div>
  );
}

/** Why a volume or a virtual machine is slow; nothing for other objects. */
function Why({ named: { object, name } }: { named: Named }) {
  const text = useText();
  const page = pageOf(object);
  const path = { id: object.id };
  if (page === undefined) {
    return null;
  }
  return (
    <WhySlow
      title={text.performance.whyOf(name)}
      ask={
        object.kind === 'vm'
          ? call('GET /vms/{id}/diagnosis', { path })
          : call('GET /volumes/{id}/diagnosis', { path })
      }
    >
      <p>
        <Link to={page} aria-label={`${text.performance.toPage}: ${name}`}>
          {text.performance.toPage}
        </Link>
      </p>
    </WhySlow>
  );
}
