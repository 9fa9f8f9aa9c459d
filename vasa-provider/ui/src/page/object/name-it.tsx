import { useState } from 'react';
import type { Call } from '../../api/call';
import { Ask } from '../../kit/ask';
import { toast } from '../../kit/toasts';
import { NameField } from '../volume-fields';

const MOST_NAME = 80;

interface Props<T> {
  title: string;
  action?: string;
  /** The name that is there before anything is typed. */
  suggested: string;
  wanted: (name: string) => Call<T>;
  send: (call: Call<T>) => Promise<unknown>;
  /** What is said once it is made. */
  said: (name: string) => string;
  close: () => void;
}

/** The form for something that needs but a name. */
export function NameIt<T>({ title, action, suggested, wanted, send, said, close }: Props<T>) {
  const [name, setName] = useState(() => suggested.slice(0, MOST_NAME));
  const made = name.trim() === '' ? undefined : wanted(name);
  return (
    <Ask
      title={title}
      action={action ?? title}
      wanted={made}
      waits={made === undefined}
      run={() => send(made!)}
      done={() => {
        toast('success', said(name));
        close();
      }}
      close={close}
    >
      <NameField value={name} set={setName} autoFocus />
    </Ask>
  );
}
