import { type PointerEvent, useState } from 'react';

/** A shorter way is a click of a hand that is not quite still. */
const LEAST_PIXELS = 6;

interface Drag {
  begin: number;
  now: number;
}

/**
 * A drag along an element, in pixels from its left edge, whichever way it goes.
 *
 * @param done called at its end; none: nothing can be dragged
 */
export function useDrag(done: ((from: number, to: number) => void) | undefined) {
  const [drag, setDrag] = useState<Drag>();

  function begin(event: PointerEvent): void {
    if (done !== undefined && event.button === 0) {
      const at = pixelsOf(event);
      setDrag({ begin: at, now: at });
    }
  }

  function move(event: PointerEvent): void {
    if (drag === undefined) {
      return;
    }
    if (event.buttons === 0) {
      setDrag(undefined); // the button was let go elsewhere
      return;
    }
    const now = pixelsOf(event);
    if (isWay(drag.begin, now)) {
      // Not before: a click is for what is drawn below.
      event.currentTarget.setPointerCapture(event.pointerId);
    }
    setDrag({ begin: drag.begin, now });
  }

  function end(event: PointerEvent): void {
    const now = pixelsOf(event);
    if (drag !== undefined && isWay(drag.begin, now)) {
      done?.(Math.min(drag.begin, now), Math.max(drag.begin, now));
    }
    setDrag(undefined);
  }

  return {
    handlers: {
      onPointerDown: begin,
      onPointerMove: move,
      onPointerUp: end,
      onPointerCancel: () => setDrag(undefined),
    },
    /** What is dragged over right now. */
    over:
      drag !== undefined && isWay(drag.begin, drag.now)
        ? { left: Math.min(drag.begin, drag.now), width: Math.abs(drag.now - drag.begin) }
        : undefined,
  };
}

function isWay(from: number, to: number): boolean {
  return Math.abs(to - from) >= LEAST_PIXELS;
}

function pixelsOf(event: PointerEvent): number {
  return event.clientX - event.currentTarget.getBoundingClientRect().left;
}
