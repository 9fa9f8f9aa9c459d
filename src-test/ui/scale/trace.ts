import type { CDPSession, Page } from '@playwright/test';

interface TraceEvent {
  name: string;
  ph: string;
  pid: number;
  tid: number;
  ts: number;
  dur?: number;
  args?: { name?: string };
}

const MICROS_IN_MILLI = 1000;

/**
 * The main-thread work of each frame that was drawn while something ran, in milliseconds, by the
 * browser's trace: the sum of the tasks that began between one call of animation frames and the
 * next.
 */
export async function workOfFrames(page: Page, run: () => Promise<void>): Promise<number[]> {
  const session = await page.context().newCDPSession(page);
  const events: TraceEvent[] = [];
  session.on('Tracing.dataCollected', ({ value }) => {
    events.push(...(value as unknown as TraceEvent[]));
  });
  await session.send('Tracing.start', {
    transferMode: 'ReportEvents',
    traceConfig: {
      includedCategories: ['toplevel', 'devtools.timeline', 'disabled-by-default-devtools.timeline'],
    },
  });
  await run();
  await ended(session);
  return workOf(events);
}

async function ended(session: CDPSession): Promise<void> {
  const complete = new Promise<void>((resolve) =>
    session.once('Tracing.tracingComplete', () => resolve()),
  );
  await session.send('Tracing.end');
  await complete;
  await session.detach();
}

function workOf(events: readonly TraceEvent[]): number[] {
  const frames = events.filter((event) => event.name === 'FireAnimationFrame');
  const first = frames[0];
  if (first === undefined) {
    return [];
  }
  const isMain = (event: TraceEvent) => event.pid === first.pid && event.tid === first.tid;
  const starts = frames.filter(isMain).map((event) => event.ts).sort((a, b) => a - b);
  const tasks = events
    .filter((event) => isMain(event) && event.ph === 'X' && event.name === 'RunTask')
    .sort((a, b) => a.ts - b.ts);
  const work: number[] = [];
  let next = 0;
  for (let i = 0; i + 1 < starts.length; i++) {
    while (next < tasks.length && end(tasks[next]!) <= starts[i]!) {
      next++;
    }
    let sum = 0;
    for (; next < tasks.length && tasks[next]!.ts < starts[i + 1]!; next++) {
      sum += tasks[next]!.dur ?? 0;
    }
    work.push(sum / MICROS_IN_MILLI);
  }
  return work;
}

function end(task: TraceEvent): number {
  return task.ts + (task.dur ?? 0);
}
