import { Alert } from '@patternfly/react-core';
import { useMemo, useState } from 'react';
import type { Call } from '../api/call';
import { ProblemError } from '../api/problem';
import { send, sendTagged, type Tagged } from '../api/send';
import { useText } from '../text/preferences';

const CHANGED_MEANWHILE = 412;

/** A field of an object, as a text by which two editions are compared. */
export interface ComparedField<T> {
  label: string;
  shown: (value: T) => string;
}

/** An object as it was read for an edit, and as somebody else has made it since. */
export interface Meanwhile<T> {
  before: T;
  now: T;
}

export interface Edit<T, D> {
  /** What the next change is made to. */
  base: Tagged<T>;
  draft: D;
  set: (change: Partial<D>) => void;
  /** Absent as long as nobody else has changed the object. */
  meanwhile: Meanwhile<T> | undefined;
  /**
   * @throws ProblemError if it is refused; after a refusal because of somebody else's change, the
   *   draft is that of the object as it is now, with all that was typed
   */
  save: (change: Call) => Promise<unknown>;
}

/** An edit of an object. What is typed lies over what was read, also when that is read again. */
export function useEdit<T, D extends object>(
  read: Call<T>,
  first: Tagged<T>,
  draftOf: (value: T) => D,
): Edit<T, D> {
  const [base, setBase] = useState(first);
  const [typed, setTyped] = useState<Partial<D>>({});
  const [meanwhile, setMeanwhile] = useState<Meanwhile<T> | undefined>();
  const original = useMemo(() => draftOf(base.value), [draftOf, base]);

  async function save(change: Call): Promise<unknown> {
    try {
      return await send(change);
    } catch (e) {
      if (isChangedMeanwhile(e)) {
        const now = await sendTagged(read);
        setMeanwhile({ before: base.value, now: now.value });
        setBase(now);
      }
      throw e;
    }
  }

  return {
    base,
    draft: { ...original, ...typed },
    set: (change) => setTyped((before) => ({ ...before, ...change })),
    meanwhile,
    save,
  };
}

/** Whether a change was refused because somebody else has changed the object. */
export function isChangedMeanwhile(e: unknown): boolean {
  return (
    e instanceof ProblemError &&
    (e.problem.status === CHANGED_MEANWHILE || e.code === 'generation-changed')
  );
}

interface Props<T> {
  meanwhile: Meanwhile<T> | undefined;
  fields: readonly ComparedField<T>[];
}

/** What somebody else has changed during an edit, field by field: before and now. */
export function EditConflict<T>({ meanwhile, fields }: Props<T>) {
  const text = useText().forms.edit;
  if (meanwhile === undefined) {
    return null;
  }
  const { before, now } = meanwhile;
  const changed = fields.filter(({ shown }) => shown(before) !== shown(now));
  return (
    <Alert isInline variant="warning" component="p" title={text.changed} data-conflict>
      <p>{text.kept}</p>
      {changed.length > 0 && (
        <table className="c-facts">
          <thead>
            <tr>
              <th scope="col">{text.field}</th>
              <th scope="col">{text.before}</th>
              <th scope="col">{text.now}</th>
            </tr>
          </thead>
          <tbody>
            {changed.map(({ label, shown }) => (
              <tr key={label}>
                <th scope="row">{label}</th>
                <td>{shown(before)}</td>
                <td>{shown(now)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </Alert>
  );
}
