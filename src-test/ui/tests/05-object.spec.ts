import { expect, logIn, picture, test } from './kit';

test('a volume goes back to a moment, and the revert is undone', async ({ page, rest }) => {
  await rest.account('cora', 'storage-admin');
  const id = await rest.volume('travelling disk');
  const policy = await rest.call('POST', '/protection-policies', {
    name: 'each second',
    rules: [],
    continuous: [{ every: 'PT1S', keepFor: 'PT1H' }],
  });
  await rest.call('POST', '/protection-groups', {
    name: 'travellers',
    policy: policy.id,
    members: [{ volume: id }],
  });
  await expect
    .poll(async () => (await rest.call('GET', `/volumes/${id}/timeline`)).newest)
    .not.toBeNull();
  await logIn(page, 'cora', `/ui/volumes/${id}`);
  const card = page.locator('.pf-v6-c-card').filter({ hasText: 'Back to any moment' });

  // The end of the slider is the newest point, wherever between two seconds that is.
  await card.getByRole('slider').focus();
  await page.keyboard.press('Home');
  await page.keyboard.press('End');
  const asked = page.waitForRequest((request) => request.url().includes(`/volumes/${id}/clone`));
  await card.getByRole('button', { name: 'Clone from there' }).click();
  await page.getByRole('dialog').getByLabel('Name').fill('newest');
  await page.getByRole('dialog').getByRole('button', { name: 'Clone from there' }).click();
  const { moment } = (await asked).postDataJSON();
  const newest = async (before: string) =>
    (await rest.call('GET', `/volumes/${id}/timeline?limit=1${before}`)).items[0].moment as string;
  expect(await newest(`&to=${encodeURIComponent(moment)}`)).toBe(await newest(''));
  await expect(page.getByText('newest was created.')).toBeVisible();

  await card.getByRole('slider').focus();
  await page.keyboard.press('Home');
  await card.getByRole('button', { name: 'Revert to it' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Revert to it' }).click();
  await expect(page.getByText('travelling disk is as it was at')).toBeVisible();
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(page.getByText('travelling disk is as it was before the revert.')).toBeVisible();

  await card.getByRole('button', { name: 'Clone from there' }).click();
  await page.getByRole('dialog').getByLabel('Name').fill('travelled');
  await page.getByRole('dialog').getByRole('button', { name: 'Clone from there' }).click();
  await expect(page.getByText('travelled was created.')).toBeVisible();
  expect((await rest.call('GET', '/volumes?name=travelled')).items).toHaveLength(1);

  await rest.call('POST', '/hosts', { name: 'reader', initiators: ['iqn.2026-11.example:reader'] });
  await card.getByRole('button', { name: 'Give to a host from there' }).click();
  const given = page.getByRole('dialog');
  await given.getByLabel('Name').fill('as it was');
  await given.getByRole('checkbox', { name: 'reader' }).check();
  await given.getByRole('button', { name: 'Give to a host from there' }).click();
  await expect(given.locator('[data-system=linux]')).toContainText('iscsiadm');
  const [clone] = (await rest.call('GET', '/volumes?name=as%20it%20was')).items;
  expect((await rest.call('GET', `/exports/${clone.id}`)).hosts).toHaveLength(1);
  await given.getByRole('button', { name: 'Close' }).last().click();
  await picture(page, 'volume');
});

test('a snapshot is taken, cloned, reverted to, deleted, and brought back', async ({ page, rest }) => {
  await rest.account('cora', 'storage-admin');
  const id = await rest.volume('kept disk');
  await logIn(page, 'cora', `/ui/volumes/${id}`);

  await page.getByRole('button', { name: 'Take a snapshot' }).click();
  await page.getByRole('dialog').getByLabel('Name').fill('before');
  await page.getByRole('dialog').getByRole('button', { name: 'Take a snapshot' }).click();
  await expect(page.getByText('Snapshot before was taken.')).toBeVisible();

  await page.getByRole('checkbox', { name: 'Select before' }).check();
  const snapshots = page.getByRole('region', { name: 'Snapshots' });
  await snapshots.getByRole('button', { name: 'Clone', exact: true }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Clone' }).click();
  await expect(page.getByText('before copy was created.')).toBeVisible();

  await snapshots.getByRole('button', { name: 'Revert to it' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Revert to it' }).click();
  await expect(page.getByText('It is as it was in before.')).toBeVisible();
  await page.getByRole('button', { name: 'Undo' }).last().click();
  await expect(page.getByText('It is as it was before the revert.')).toBeVisible();

  await snapshots.getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await expect(page.getByText('before was deleted.')).toBeVisible();
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(page.getByText('before is back.')).toBeVisible();
});

test('limits are set, shown as a command, and removed', async ({ page, rest }) => {
  await rest.account('cora', 'storage-admin');
  const id = await rest.volume('limited disk');
  await rest.call('PUT', `/vvols/${id}/limits`, { maxIops: null, maxBandwidth: null, weight: 200 });
  await logIn(page, 'cora', `/ui/volumes/${id}`);

  await page.getByLabel('I/Os a second, at most').fill('many');
  await expect(page.getByText('Expected a number of I/Os')).toBeVisible();
  await page.getByLabel('I/Os a second, at most').fill('500');
  await page.getByLabel('Bandwidth a second, at most').fill('10 MiB');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('The limits hold from now on.')).toBeVisible();
  expect(await rest.call('GET', `/vvols/${id}/limits`)).toMatchObject({
    maxIops: 500,
    maxBandwidth: 10 << 20,
    weight: 200,
  });

  await page.getByRole('button', { name: 'Remove all limits' }).click();
  await expect
    .poll(async () => (await rest.call('GET', `/vvols/${id}/limits`)).maxIops)
    .toBeNull();
});

test('the tree of snapshots shows where the volume goes on', async ({ page, rest }) => {
  await rest.account('cora', 'storage-admin');
  const id = await rest.volume('branching disk');
  const take = async (name: string) =>
    (await rest.call('POST', `/vvols/${id}/snapshots?wait=10s`, { name })).result.id as string;
  const first = await take('first');
  await take('second');
  await rest.call('POST', `/snapshots/${first}/revert?wait=10s`);
  await take('third');
  await logIn(page, 'cora', `/ui/volumes/${id}`);

  const lane = (name: string) => page.getByTitle(name, { exact: true });
  await expect(lane('first')).toHaveAttribute('data-lane', '0');
  await expect(lane('second')).toHaveAttribute('data-lane', '0');
  await expect(lane('third')).toHaveAttribute('data-lane', '1');
  await expect(lane('third')).toContainText('goes on from here');
  await expect(lane('second')).not.toContainText('goes on from here');
  await page.getByRole('grid', { name: 'Snapshots' }).scrollIntoViewIfNeeded();
  await picture(page, 'snapshot-tree');

  await rest.call('POST', `/snapshots/${first}/revert?wait=10s`);
  await expect(lane('first')).toContainText('goes on from here');
});

test('two points are compared, and one of them is locked', async ({ page, rest }) => {
  await rest.account('anna', 'admin');
  const id = await rest.volume('compared disk');
  for (const name of ['older', 'newer']) {
    await rest.call('POST', `/vvols/${id}/snapshots?wait=10s`, { name });
  }
  await logIn(page, 'anna', `/ui/volumes/${id}`);
  const snapshots = page.getByRole('region', { name: 'Snapshots' });

  await page.getByRole('checkbox', { name: 'Select older' }).check();
  await snapshots.getByRole('button', { name: 'Compare with now' }).click();
  const sheet = page.getByRole('dialog', { name: 'From older to now' });
  await expect(sheet.locator('[data-differs="0"]')).toHaveText('0 B of 1 MiB differ.');
  await sheet.getByRole('button', { name: 'Close' }).last().click();
  await page.getByRole('checkbox', { name: 'Select newer' }).check();
  await snapshots.getByRole('button', { name: 'Compare with newer' }).click();
  await expect(page.getByRole('dialog', { name: 'From older to newer' })).toContainText('0 B of 1 MiB');
  await picture(page, 'compare');
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).last().click();

  await page.getByRole('checkbox', { name: 'Select newer' }).uncheck();
  await snapshots.getByRole('button', { name: 'Lock', exact: true }).click();
  const lock = page.getByRole('dialog', { name: 'Lock older' });
  await lock.getByRole('textbox', { name: 'From now on for' }).fill('1');
  await lock.getByRole('combobox').selectOption({ label: 'minutes' });
  await lock.getByRole('button', { name: 'Lock' }).click();
  await expect(page.getByText(/older is locked until/)).toBeVisible();
  const remove = snapshots.getByRole('button', { name: 'Delete' });
  await expect(remove).toHaveAttribute('aria-disabled', 'true');
  await remove.focus();
  await expect(page.getByRole('tooltip')).toContainText('It is locked until');
});
