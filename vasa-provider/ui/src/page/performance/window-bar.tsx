import { Button, ToggleGroup, ToggleGroupItem } from '@patternfly/react-core';
import { type FormEvent, useState } from 'react';
import { useStore } from '../../api/store';
import { TextField } from '../../kit/field';
import { preferences, useFormat, useText } from '../../text/preferences';
import { type Shown, spanOf } from './shown-state';
import { fieldOf, type Span, spanOfFields, WINDOW_NAMES } from './span';

interface Props {
  shown: Shown;
  readAgain: () => void;
  isReading: boolean;
}

/** Of which time the charts are: lengths up to now, or from a time to another one, and the zoom. */
export function WindowBar({ shown, readAgain, isReading }: Props) {
  const text = useText();
  const format = useFormat();
  const [choosing, setChoosing] = useState(false);
  const t = text.performance;
  const isOther = choosing || shown.window === undefined;
  return (
    <>
      <div className="c-bar">
        <ToggleGroup aria-label={t.window} isCompact>
          {WINDOW_NAMES.map((name) => (
            <ToggleGroupItem
              key={name}
              text={t.windows[name]}
              isSelected={!isOther && shown.window === name}
              onChange={() => {
                setChoosing(false);
                shown.setWindow(name);
              }}
            />
          ))}
          <ToggleGroupItem text={t.other} isSelected={isOther} onChange={() => setChoosing(true)} />
        </ToggleGroup>
        <Button variant="secondary" isLoading={isReading} onClick={readAgain}>
          {t.readAgain}
        </Button>
        {shown.zoom === undefined ? (
          <span className="c-quiet">{t.zoomHint}</span>
        ) : (
          <>
            <Button variant="secondary" onClick={() => shown.setZoom(undefined)}>
              {t.zoomOut}
            </Button>
            <span data-zoom>
              {t.zoomedTo(format.time(shown.zoom.from), format.time(shown.zoom.to))}
            </span>
          </>
        )}
      </div>
      {isOther && (
        <SpanForm
          key={shown.window ?? 'span'}
          span={spanOf(shown, Date.now())}
          choose={(span) => {
            setChoosing(false);
            shown.setWindow(span);
          }}
        />
      )}
    </>
  );
}

function SpanForm({ span, choose }: { span: Span; choose: (span: Span) => void }) {
  const text = useText();
  const isUtc = useStore(preferences).zone === 'utc';
  const [from, setFrom] = useState(() => fieldOf(span.from, isUtc));
  const [to, setTo] = useState(() => fieldOf(span.to, isUtc));
  const t = text.performance;
  const chosen = spanOfFields(from, to, isUtc, Date.now());

  function submit(event: FormEvent): void {
    event.preventDefault();
    if (chosen !== undefined) {
      choose(chosen);
    }
  }

  return (
    <form className="c-bar" onSubmit={submit}>
      <TextField label={t.from} type="datetime-local" value={from} set={setFrom} />
      <TextField
        label={t.to}
        type="datetime-local"
        value={to}
        set={setTo}
        wrong={chosen === undefined ? t.spanWrong : undefined}
      />
      <Button type="submit" variant="primary" isDisabled={chosen === undefined}>
        {t.show}
      </Button>
    </form>
  );
}
