import { expect, logIn, type Page, picture, test, violations } from './kit';

const BEYOND = 'The command named blocks behind the end of the volume.';
const HOSTILE = '<img src=x onerror="document.title=1"> in the place of a sentence, which is long';

const xcopy = {
  commands: 3,
  bytesSpared: 6 << 20,
  fallBacks: 9,
  reasons: [
    { sense: '5h/21h/00h', sentence: BEYOND, count: 6 },
    { sense: 'Ah/0Dh/02h', sentence: HOSTILE, count: 2 },
    { sense: null, sentence: 'The host was told something else each time.', count: 1 },
  ],
};
const unmap = { commands: 5, bytesSpared: 1 << 20, fallBacks: 0, reasons: [] };
const counts = {
  kinds: { xcopy, unmap },
  total: { ...xcopy, commands: 8, bytesSpared: 7 << 20 },
};

/** Has hosts offload, as far as the API says: nothing reads or writes here. */
async function letOffload(page: Page): Promise<void> {
  const one = {
    vvol: '0f3c8f4e-9d2b-4d52-8a5e-0c5f3f0a7b11',
    name: 'copied disk',
    vm: null,
    vmName: null,
    host: null,
    initiator: 'iqn.2026-11.test:esx',
    counts,
  };
  const part = (items: object[]) => ({ json: { items, next: null, total: items.length } });
  await page.route('**/api/v1/offloads?*', (route) => route.fulfill(part([one])));
  await page.route('**/api/v1/offloads/hosts?*', (route) =>
    route.fulfill(part([{ host: null, initiators: [one.initiator], counts }])),
  );
  await page.route('**/api/v1/offloads/total', (route) =>
    route.fulfill({ json: { since: '2026-11-01T12:00:00Z', ...counts } }),
  );
}

test.beforeEach(async ({ page, rest }) => {
  await rest.account('cora', 'storage-admin');
  await letOffload(page);
  await logIn(page, 'cora', '/ui/performance?tab=offloads');
});

test('the most frequent reason of fall-backs is in the row, and all of them behind it', async ({ page }) => {
  const row = page.getByRole('row').filter({ hasText: 'copied disk' });
  await row.getByRole('button', { name: BEYOND }).click();

  const sheet = page.getByRole('dialog', { name: 'Why hosts did it themselves: copied disk' });
  await expect(sheet.getByRole('row', { name: '5h/21h/00h' })).toContainText(`6 × ${BEYOND}`);
  await expect(sheet.getByRole('row', { name: 'Ah/0Dh/02h' })).toContainText(`2 × ${HOSTILE}`);
  await expect(sheet.getByRole('row', { name: 'others' })).toContainText('1 ×');
  await picture(page, 'fall-backs');
  expect(await violations(page)).toEqual([]);
  await sheet.getByRole('button', { name: 'Close' }).last().click();
  await expect(sheet).toBeHidden();

  await page.getByLabel('Kind', { exact: true }).selectOption('UNMAP');
  await expect(row.getByRole('button')).toHaveCount(0);
});

test('sums have their reasons, too', async ({ page }) => {
  const totals = page.getByRole('region', { name: 'Of all hosts' });
  await expect(totals.getByRole('row', { name: 'All kinds' }).getByRole('button')).toHaveText(BEYOND);
  await expect(totals.getByRole('row', { name: 'UNMAP' }).getByRole('button')).toHaveCount(0);

  await page.getByRole('button', { name: 'Hosts', exact: true }).click();
  await page.getByRole('row').filter({ hasText: 'Initiators of no host' }).getByRole('button').click();
  await expect(
    page.getByRole('dialog', { name: 'Why hosts did it themselves: Initiators of no host' }),
  ).toContainText(BEYOND);
});

test('where there is little room, the sums have the reasons', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.getByRole('region', { name: 'Of all hosts' }).getByRole('button').first().click();
  await expect(page.getByRole('dialog')).toContainText(BEYOND);
  const wider = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  expect(wider).toBeLessThanOrEqual(0);
});
