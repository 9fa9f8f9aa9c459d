import { Skeleton } from '@patternfly/react-core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { Call } from '../api/call';
import { sendTagged, type Tagged } from '../api/send';
import { useText } from '../text/preferences';
import { Ask } from './ask';
import { type ComparedField, EditConflict, isChangedMeanwhile, useEdit } from './edit-conflict';
import { ProblemAlert } from './problem-alert';

interface Props<T, D> {
  title: string;
  wide?: boolean;
  /** Reads the object with its tag. */
  read: Call<T>;
  draftOf: (value: T) => D;
  /** What is sent for a draft; absent while it is not whole, or changes nothing. */
  change: (draft: D, base: Tagged<T>) => Call | undefined;
  /** What editions are compared by if somebody else changes the object meanwhile. */
  compared: readonly ComparedField<T>[];
  /** Called once it is saved, before the form is closed. */
  saved: () => void;
  close: () => void;
  /** What saving the draft would do; none: nothing is said about it. */
  preview?: (draft: D) => ReactNode;
  children: (draft: D, set: (change: Partial<D>) => void, now: T) => ReactNode;
}

/** A form that changes an object. It is for the edition that was read when the form was opened. */
export function EditForm<T, D extends object>(props: Props<T, D>) {
  const { title, read, close } = props;
  const text = useText();
  const found = useQuery({
    queryKey: ['edit', read.path],
    gcTime: 0,
    queryFn: ({ signal }) => sendTagged(read, signal),
  });
  if (found.data !== undefined) {
    return <LoadedForm {...props} first={found.data} />;
  }
  return (
    <Ask title={title} action={text.common.save} waits run={() => Promise.resolve()} close={close}>
      {found.isError ? (
        <ProblemAlert error={found.error} retry={() => void found.refetch()} />
      ) : (
        <Skeleton screenreaderText={text.common.loading} />
      )}
    </Ask>
  );
}

function LoadedForm<T, D extends object>(props: Props<T, D> & { first: Tagged<T> }) {
  const { title, wide = false, read, first, draftOf, compared } = props;
  const text = useText();
  const edit = useEdit(read, first, draftOf);
  const wanted = props.change(edit.draft, edit.base);
  return (
    <Ask
      title={title}
      action={text.common.save}
      wide={wide}
      wanted={wanted}
      waits={wanted === undefined}
      run={async () => wanted && edit.save(wanted)}
      tells={isChangedMeanwhile}
      done={() => {
        props.saved();
        props.close();
      }}
      close={props.close}
      foot={props.preview?.(edit.draft)}
    >
      <EditConflict meanwhile={edit.meanwhile} fields={compared} />
      {props.children(edit.draft, edit.set, edit.base.value)}
    </Ask>
  );
}
