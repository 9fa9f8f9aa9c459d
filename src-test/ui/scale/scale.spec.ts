import type { Page } from '@playwright/test';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, logIn, type Rest, test } from '../tests/kit';
import { workOfFrames } from './trace';

const MANY = Number(process.env.UI_SCALE ?? 10_000);
const AT_ONCE = 16;
const MIB = 1 << 20;
const FRAMES = 600;
const STEP_PIXELS = 320;
const IDLE_MILLIS = 120_000;
const MINUTE = 60_000;

/** A row of what is printed: what was measured, and its figure. */
const figures: [string, string][] = [];

test.afterAll(() => {
  const rows = figures.map(([what, figure]) => `| ${what} | ${figure} |`);
  const work = process.env.UI_TEST_WORK ?? 'target';
  mkdirSync(work, { recursive: true });
  writeFileSync(
    join(work, 'scale.md'),
    ['| The web UI | Figure |', '|---|---|', ...rows, ''].join('\n'),
  );
});

async function atOnce(times: number, work: (i: number) => Promise<unknown>): Promise<void> {
  let next = 0;
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      while (next < times) {
        await work(next++);
      }
    }),
  );
}

function shown(millis: number): string {
  return `${millis.toFixed(millis < 100 ? 1 : 0)} ms`;
}

function quantile(sorted: readonly number[], part: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? NaN;
}

/** Milliseconds from the request of a page until its table has a row, and until it has all. */
async function firstTable(page: Page, at: string): Promise<[number, number]> {
  await page.goto(at);
  await expect(page.getByRole('status').getByText(new RegExp(`${MANY} rows$`))).toBeVisible();
  return page.evaluate(() => (window as unknown as { seen: [number, number] }).seen);
}

/** Notes in the page when its table has the first row, and when it has all. */
function watchTable(many: number): void {
  const seen: [number, number] = [0, 0];
  (window as unknown as { seen: [number, number] }).seen = seen;
  const look = () => {
    if (seen[0] === 0 && document.querySelector('[role=row][aria-rowindex="2"]') !== null) {
      seen[0] = performance.now();
    }
    const said = [...document.querySelectorAll('[role=status]')].map((one) => one.textContent ?? '');
    if (said.some((text) => text.includes(`${many} rows`) && !text.includes('loaded'))) {
      seen[1] = performance.now();
    } else {
      requestAnimationFrame(look);
    }
  };
  requestAnimationFrame(look);
}

/** Milliseconds from a key in the search until what was found is drawn. */
async function searchTimes(page: Page, text: string): Promise<number[]> {
  const search = page.getByRole('textbox', { name: 'Search' });
  await search.evaluate((input) => {
    const drawn: number[] = [];
    (window as unknown as { drawn: number[] }).drawn = drawn;
    input.addEventListener('input', (event) =>
      requestAnimationFrame(() =>
        setTimeout(() => drawn.push(performance.now() - event.timeStamp)),
      ),
    );
  });
  const times = () => page.evaluate(() => (window as unknown as { drawn: number[] }).drawn);
  await search.focus();
  for (let i = 0; i < text.length; i++) {
    await page.keyboard.type(text.charAt(i));
    await expect.poll(async () => (await times()).length).toBe(i + 1);
  }
  const all = await times();
  await search.fill('');
  return all.sort((a, b) => a - b);
}

async function scroll(page: Page): Promise<number[]> {
  const work = await workOfFrames(page, () =>
    page.evaluate(
      ({ frames, step }) =>
        new Promise<void>((resolve) => {
          const table = document.querySelector('.c-table')!;
          let left = frames;
          const next = () => {
            table.scrollTop += step;
            if (--left > 0) {
              requestAnimationFrame(next);
            } else {
              resolve();
            }
          };
          requestAnimationFrame(next);
        }),
      { frames: FRAMES, step: STEP_PIXELS },
    ),
  );
  expect(work.length).toBeGreaterThan(FRAMES / 2);
  return work.sort((a, b) => a - b);
}

async function memory(page: Page): Promise<string> {
  const session = await page.context().newCDPSession(page);
  await session.send('HeapProfiler.collectGarbage');
  await session.send('Performance.enable');
  const { metrics } = await session.send('Performance.getMetrics');
  await session.detach();
  const of = (name: string) => metrics.find((one) => one.name === name)?.value ?? 0;
  return `${(of('JSHeapUsedSize') / MIB).toFixed(1)} MiB of heap, ${of('Nodes')} nodes`;
}

/** Requests a minute that a page makes which nobody touches. */
async function idleRequests(page: Page): Promise<string> {
  let requests = 0;
  page.on('request', () => requests++);
  await page.waitForTimeout(IDLE_MILLIS);
  return ((requests * MINUTE) / IDLE_MILLIS).toFixed(1);
}

async function measure(page: Page, what: string, at: string, word: string): Promise<void> {
  await page.addInitScript(watchTable, MANY);
  const first: number[] = [];
  const whole: number[] = [];
  for (let i = 0; i < 5; i++) {
    const [row, all] = await firstTable(page, at);
    first.push(row);
    whole.push(all);
  }
  const median = (times: number[]) => quantile(times.sort((a, b) => a - b), 0.5);
  figures.push([`${what}: first rows`, shown(median(first))]);
  figures.push([`${what}: all rows`, shown(median(whole))]);
  const search = await searchTimes(page, word);
  figures.push([
    `${what}: a letter of a search, median and worst`,
    `${shown(quantile(search, 0.5))}, ${shown(quantile(search, 1))}`,
  ]);
  const work = await scroll(page);
  figures.push([
    `${what}: main-thread work of a frame while scrolling, median and 99 %`,
    `${shown(quantile(work, 0.5))}, ${shown(quantile(work, 0.99))} (${work.length} frames)`,
  ]);
  figures.push([`${what}: memory`, await memory(page)]);
}

async function manyVolumes(rest: Rest): Promise<void> {
  const container = (await rest.call('POST', '/containers', { name: 'crowd', quota: 2 ** 40 })).id;
  await atOnce(MANY, (i) =>
    rest.call('POST', '/volumes', { name: `crowd ${i}`, size: 64 * MIB, container }),
  );
}

async function manySnapshots(rest: Rest): Promise<string> {
  const container = (await rest.call('POST', '/containers', { name: 'stack', quota: 2 ** 40 })).id;
  const volume = (
    await rest.call('POST', '/volumes', { name: 'stacked', size: 64 * MIB, container })
  ).id as string;
  await atOnce(MANY, (i) =>
    rest.call('POST', `/vvols/${volume}/snapshots?wait=60s`, { name: `layer ${i}` }),
  );
  return volume;
}

test('ten thousand snapshots of one volume', async ({ page, rest }) => {
  await rest.account('anna', 'admin');
  const volume = await manySnapshots(rest);
  await logIn(page, 'anna');
  await measure(page, 'Snapshots', `/ui/volumes/${volume}`, 'layer 77');
});

test('ten thousand volumes', async ({ page, rest }) => {
  await rest.account('anna', 'admin');
  await manyVolumes(rest);
  await logIn(page, 'anna');
  // The volume of the snapshots is among them.
  await rest.call('DELETE', `/volumes/${(await rest.call('GET', '/volumes?name=stacked')).items[0].id}`);
  await measure(page, 'Volumes', '/ui/volumes', 'crowd 77');
  figures.push(['Volumes: requests a minute of an idle page', await idleRequests(page)]);
  await page.goto('/ui/');
  await expect(page.locator('[data-verdict]')).toBeVisible();
  await page.waitForTimeout(IDLE_MILLIS / 12);
  figures.push(['Overview: requests a minute of an idle page', await idleRequests(page)]);
});
