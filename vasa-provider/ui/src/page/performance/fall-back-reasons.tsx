import { Button } from '@patternfly/react-core';
import { useState } from 'react';
import { Facts } from '../../kit/facts';
import { Sheet } from '../../kit/sheet';
import { useFormat, useText } from '../../text/preferences';
import type { Count } from './offload-kinds';

interface Props {
  /** The name of what was counted. */
  of: string;
  count: Count;
}

/** The most frequent reason of fall-backs; all of them when it is opened. */
export function FallBackReasons({ of, count }: Props) {
  const [open, setOpen] = useState(false);
  const most = count.reasons[0];
  return (
    most !== undefined && (
      <>
        <Button variant="link" isInline onClick={() => setOpen(true)}>
          <span className="c-cut" lang="en" title={most.sentence}>
            {most.sentence}
          </span>
        </Button>
        {open && <AllReasons of={of} count={count} close={() => setOpen(false)} />}
      </>
    )
  );
}

function AllReasons({ of, count, close }: Props & { close: () => void }) {
  const text = useText();
  const format = useFormat();
  const t = text.performance.offloads;
  return (
    <Sheet title={t.whyOf(of)} close={close}>
      <Facts
        of={count.reasons.map(({ sense, sentence, count: times }) => [
          sense ?? t.others,
          <>
            {t.times(format.number(times))} <span lang="en">{sentence}</span>
          </>,
        ])}
      />
    </Sheet>
  );
}
