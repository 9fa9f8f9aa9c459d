import { Button, Modal, ModalBody, TextInput } from '@patternfly/react-core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type KeyboardEvent, useEffect, useId, useState } from 'react';
import { useNavigate } from 'react-router';
import { call } from '../api/call';
import { send } from '../api/send';
import { useRefusal } from '../kit/action-button';
import { ProblemAlert } from '../kit/problem-alert';
import { useSettled } from '../kit/settled';
import { useText } from '../text/preferences';
import { type Entry, eventEntry, hitEntry, localEntries, settingEntries } from './palette-entries';

const PAUSE_MILLIS = 150;
const MOST = 20;

/** The button of the palette; Ctrl-K opens it from anywhere. */
export function PaletteButton() {
  const text = useText();
  const [open, setOpen] = useState(false);
  useEffect(() => {
    const pressed = (event: globalThis.KeyboardEvent) => {
      if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'k') {
        event.preventDefault();
        setOpen(true);
      }
    };
    window.addEventListener('keydown', pressed);
    return () => window.removeEventListener('keydown', pressed);
  }, []);
  return (
    <>
      <Button variant="plain" aria-keyshortcuts="Control+K" onClick={() => setOpen(true)}>
        {text.palette.open}
      </Button>
      {open && <Palette close={() => setOpen(false)} />}
    </>
  );
}

/** A field that finds every object, page, action and setting, and leads there. */
function Palette({ close }: { close: () => void }) {
  const text = useText();
  const navigate = useNavigate();
  const id = useId();
  const [asked, setAsked] = useState('');
  const [at, setAt] = useState(0);
  const { entries, error } = useEntries(asked);
  const current = Math.min(at, entries.length - 1);

  async function go(entry: Entry): Promise<void> {
    const to = await entry.address();
    close();
    void navigate(to);
  }

  function key(event: KeyboardEvent): void {
    const entry = entries[current];
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault();
      const step = event.key === 'ArrowDown' ? 1 : -1;
      setAt((current + step + entries.length) % Math.max(1, entries.length));
    } else if (event.key === 'Enter' && entry !== undefined) {
      event.preventDefault();
      void go(entry);
    }
  }

  return (
    <Modal isOpen variant="medium" position="top" onClose={close} aria-label={text.palette.open}>
      <ModalBody>
        <TextInput
          role="combobox"
          aria-label={text.palette.field}
          aria-expanded={entries.length > 0}
          aria-controls={id}
          aria-autocomplete="list"
          aria-activedescendant={entries.length === 0 ? undefined : `${id}-${current}`}
          placeholder={text.palette.field}
          value={asked}
          autoFocus
          onChange={(_, value) => {
            setAsked(value);
            setAt(0);
          }}
          onKeyDown={key}
        />
        {error !== null && <ProblemAlert error={error} />}
        <ul id={id} role="listbox" aria-label={text.palette.found} className="c-palette">
          {entries.map((entry, i) => (
            <li
              key={entry.key}
              id={`${id}-${i}`}
              role="option"
              aria-selected={i === current}
              onMouseMove={() => setAt(i)}
              onClick={() => void go(entry)}
            >
              <span className="c-cut" title={entry.title}>
                {entry.title}
              </span>
              <span className="c-quiet">{entry.kind}</span>
            </li>
          ))}
        </ul>
      </ModalBody>
    </Modal>
  );
}

function useEntries(asked: string): { entries: readonly Entry[]; error: Error | null } {
  const text = useText();
  const settled = useSettled(asked.trim(), PAUSE_MILLIS);
  const hits = useQuery({
    queryKey: ['search', settled],
    enabled: settled !== '',
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) =>
      send(call('GET /search', { query: { q: settled, limit: MOST } }), signal),
  });
  const settings = useQuery({
    queryKey: ['settings'],
    enabled: useRefusal('GET /settings') === undefined,
    staleTime: Infinity,
    queryFn: ({ signal }) => send(call('GET /settings'), signal),
  });
  const found = asked.trim() === '' ? [] : (hits.data?.items ?? []);
  return {
    entries: [
      ...localEntries(asked, text),
      ...found.map((hit) => hitEntry(hit, text)),
      ...settingEntries(asked, settings.data?.items ?? [], text),
      ...(asked.trim() === '' ? [] : [eventEntry(asked, text)]),
    ],
    error: hits.error,
  };
}
