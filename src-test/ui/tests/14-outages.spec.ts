import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, HOME, logIn, open, picture, test } from './kit';

/** The process of the provider: the one that was started with this home. */
function provider(): number {
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    try {
      const words = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
      if (words.some((word) => word.endsWith(`coppice.home=${HOME}`))) {
        return Number(pid);
      }
    } catch {
      // It ended meanwhile.
    }
  }
  throw new Error(`expected a process of the provider with the home ${HOME}`);
}

/** The processes of the provider's database: the server, and one for each connection. */
function database(): readonly number[] {
  const [pid] = readFileSync(join(HOME, 'database/postmaster.pid'), 'utf8').split('\n');
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(/\s+/);
  return [pid, ...children].map(Number);
}

/** Stops the database as on a machine that hangs, or lets it go on. */
function signal(name: 'SIGSTOP' | 'SIGCONT'): void {
  for (const pid of database()) {
    try {
      process.kill(pid, name);
    } catch {
      // A connection that ended meanwhile.
    }
  }
}

test('a slow network shows what it waits for, and then the page', async ({ page, rest }) => {
  await rest.account('anna', 'admin');
  await rest.volume('far away');
  await logIn(page, 'anna');
  const session = await page.context().newCDPSession(page);
  await session.send('Network.enable');
  await session.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: 1500,
    downloadThroughput: 200_000,
    uploadThroughput: 50_000,
  });
  await page.getByRole('link', { name: 'Volumes', exact: true }).click();
  await expect(page.getByRole('progressbar', { name: 'Loading' }).first()).toBeVisible();
  await expect(page.getByRole('gridcell', { name: 'far away', exact: true })).toBeVisible();
});

test('a provider that hangs is told, and what was missed comes by itself', async ({ page, rest }) => {
  test.setTimeout(180_000);
  await rest.account('anna', 'admin');
  await rest.volume('outage before');
  await logIn(page, 'anna');
  await open(page, 'Volumes');
  // The table has no cells of rows that are out of sight.
  await page.getByRole('textbox', { name: 'Search' }).fill('outage');
  // All of the page is there: a picture waits for the fonts that it needs.
  await expect(page.getByRole('gridcell', { name: 'outage before', exact: true })).toBeVisible();
  process.kill(provider(), 'SIGSTOP');
  try {
    await expect(page.locator('[data-live=reconnecting]')).toBeVisible({ timeout: 60_000 });
    await picture(page, 'not-connected');
  } finally {
    process.kill(provider(), 'SIGCONT');
  }
  await rest.volume('outage meanwhile');
  await expect(page.locator('[data-live=live]')).toBeVisible({ timeout: 60_000 });
  await expect(page.getByRole('gridcell', { name: 'outage meanwhile', exact: true })).toBeVisible();
});

test('without the database the pages of the data plane work', async ({ page, rest }) => {
  test.setTimeout(180_000);
  await rest.account('anna', 'admin');
  await logIn(page, 'anna');
  await open(page, 'Volumes');
  await open(page, 'Overview');
  signal('SIGSTOP');
  try {
    // What asks the database until this is known waits for an answer of it.
    await expect
      .poll(async () => (await page.request.get('/readyz/control-plane')).status(), { timeout: 60_000 })
      .toBe(503);
    await page.reload();
    await expect(page.locator('[data-figure="/system#/space/used"]')).toBeVisible({ timeout: 90_000 });
    await picture(page, 'without-database');
  } finally {
    signal('SIGCONT');
  }
  await open(page, 'Volumes');
  await expect(page.getByRole('grid', { name: 'Volumes' })).toBeVisible({ timeout: 60_000 });
});
