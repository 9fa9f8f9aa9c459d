import { expect, logIn, type Page, picture, test, violations } from './kit';

const HOSTILE = '<img src=x onerror="document.title=1">';

/** An orphan as the API has it. */
function orphan(id: string, more: object): object {
  return {
    id: `00000000-0000-4000-8000-00000000000${id}`,
    kind: 'vvol',
    name: `orphan ${id}`,
    reason: 'noVm',
    sentence: 'No virtual machine is named with it, and no host has it bound.',
    owner: 'vcenter',
    remedy: 'Look in vCenter.',
    vvol: null,
    vm: null,
    container: '00000000-0000-4000-8000-0000000000aa',
    size: 1 << 30,
    frees: 1 << 20,
    created: '2026-11-01T12:00:00Z',
    ...more,
  };
}

async function letThereBe(page: Page, ...items: object[]): Promise<void> {
  await page.route('**/api/v1/orphans?*', (route) =>
    route.fulfill({ json: { items, next: null, total: items.length } }),
  );
}

test.beforeEach(async ({ rest }) => {
  await rest.account('anna', 'admin');
});

test('an orphan says why it is one, and leads to its page', async ({ page }) => {
  await letThereBe(
    page,
    orphan('1', { name: HOSTILE }),
    orphan('2', { kind: 'snapshot', owner: 'vcenter', reason: 'volumeGone' }),
  );
  await logIn(page, 'anna', '/ui/housekeeping?tab=orphans');
  const title = await page.title();
  const row = page.getByRole('row').filter({ hasText: HOSTILE });
  await expect(row).toContainText('No virtual machine is named with it');
  await expect(row).toContainText('1 MiB');
  await expect(row.getByRole('link', { name: HOSTILE })).toHaveAttribute(
    'href',
    '/ui/volumes/00000000-0000-4000-8000-000000000001',
  );
  expect(await page.title()).toBe(title);
  await picture(page, 'orphans');
  expect(await violations(page)).toEqual([]);

  await expect(page.getByRole('link', { name: 'orphan 2' })).toHaveCount(0);
  await page.getByRole('checkbox', { name: 'Select orphan 2', exact: true }).check();
  await expect(page.getByRole('button', { name: 'Delete', exact: true })).toHaveAttribute(
    'aria-disabled',
    'true',
  );
});

test('a snapshot whose volume is gone is deleted there', async ({ page, rest }) => {
  const volume = await rest.volume(`short-lived ${Date.now()}`);
  const job = await rest.call('POST', `/vvols/${volume}/snapshots?wait=10s`, { name: 'left behind' });
  await rest.call('DELETE', `/volumes/${volume}?purge=true`);
  const { id } = job.result;
  await letThereBe(page, orphan('3', { id, name: 'left behind', kind: 'snapshot', owner: 'administrator' }));
  await logIn(page, 'anna', '/ui/housekeeping?tab=orphans');
  await page.getByRole('checkbox', { name: 'Select left behind', exact: true }).check();
  await page.getByRole('button', { name: 'Delete', exact: true }).click();

  const form = page.getByRole('dialog');
  await form.getByRole('button', { name: 'The same as a command' }).click();
  await expect(form.locator('[data-command=coppice]')).toContainText(`./coppice snapshot delete ${id}`);
  await form.getByRole('button', { name: 'Delete', exact: true }).click();
  await expect(form).toBeHidden();
  const { items } = await rest.call('GET', '/snapshots?name=left%20behind');
  expect(items.map((one: { id: string }) => one.id)).not.toContain(id);
});

test('where there is little room, the name and what it frees stay', async ({ page }) => {
  await letThereBe(page, orphan('4', {}));
  await page.setViewportSize({ width: 390, height: 844 });
  await logIn(page, 'anna', '/ui/housekeeping?tab=orphans');
  const row = page.getByRole('row').filter({ hasText: 'orphan 4' });
  await expect(row).toContainText('1 MiB');
  const wider = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  expect(wider).toBeLessThanOrEqual(0);
});
