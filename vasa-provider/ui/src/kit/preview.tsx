import { Alert } from '@patternfly/react-core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { Call } from '../api/call';
import { send } from '../api/send';
import { useText } from '../text/preferences';
import { ProblemAlert } from './problem-alert';
import { useSettled } from './settled';

const PAUSE_MILLIS = 400;

interface Props<T> {
  /** The question what the change would do; absent while the form is not whole. */
  ask: Call<T> | undefined;
  /** Whether it would harm something. */
  isBad: (answer: T) => boolean;
  sentence: (answer: T) => string;
  children: (answer: T) => ReactNode;
}

/** What a change would do, asked while it is typed, before it is saved. */
export function Preview<T>({ ask, isBad, sentence, children }: Props<T>) {
  const text = useText();
  const wanted = useSettled(ask === undefined ? '' : JSON.stringify(ask), PAUSE_MILLIS);
  const found = useQuery({
    queryKey: ['preview', wanted],
    enabled: wanted !== '',
    gcTime: 0,
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => send(JSON.parse(wanted) as Call<T>, signal),
  });
  if (ask === undefined) {
    return null;
  }
  if (found.isError) {
    return <ProblemAlert error={found.error} retry={() => void found.refetch()} />;
  }
  const { data } = found;
  return (
    data !== undefined && (
      <Alert
        isInline
        variant={isBad(data) ? 'warning' : 'info'}
        component="p"
        title={text.forms.edit.preview}
        data-preview={isBad(data) ? 'bad' : 'good'}
      >
        <p lang="en">{sentence(data)}</p>
        {children(data)}
      </Alert>
    )
  );
}
