import { expect, logIn, type Page, picture, test } from './kit';

async function find(page: Page, text: string) {
  await page.keyboard.press('Control+k');
  const palette = page.getByRole('dialog', { name: 'Find (Ctrl-K)' });
  await palette.getByRole('combobox').fill(text);
  return palette;
}

test('Ctrl-K finds objects by what people remember of them', async ({ page, rest }) => {
  await rest.account('anna', 'admin');
  const id = await rest.volume('needle in the hay');
  const { naa } = await rest.call('GET', `/volumes/${id}`);
  const snapshot = await rest.call('POST', `/vvols/${id}/snapshots?wait=10s`, { name: 'sharp point' });
  await rest.call('POST', '/hosts', { name: 'farm', initiators: ['iqn.2026-11.example:farm'] });
  await logIn(page, 'anna');

  let palette = await find(page, 'EEDLE IN');
  await expect(palette.getByRole('option', { name: 'needle in the hay Volume' })).toBeVisible();
  await picture(page, 'palette');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { level: 1, name: 'needle in the hay' })).toBeVisible();

  for (const text of [id.slice(0, 13), naa]) {
    palette = await find(page, text);
    await expect(palette.getByRole('option').filter({ hasText: 'needle in the hay' })).toBeVisible();
    await page.keyboard.press('Escape');
  }

  palette = await find(page, 'sharp');
  await palette.getByRole('option', { name: 'sharp point Snapshot' }).click();
  await expect(page).toHaveURL(new RegExp(`/volumes/${id}\\?q=sharp`));
  await expect(page.getByTitle('sharp point', { exact: true })).toBeVisible();
  expect(snapshot.state).toBe('success');

  palette = await find(page, 'example:farm');
  await palette.getByRole('option', { name: /^farm Host/ }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Hosts and exports' })).toBeVisible();
});

test('Ctrl-K leads to pages, actions, settings and events', async ({ page, rest }) => {
  await rest.account('anna', 'admin');
  await logIn(page, 'anna');
  let palette = await find(page, 'recycle');
  await palette.getByRole('option', { name: 'Recycle bin Page' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Recycle bin' })).toBeVisible();

  palette = await find(page, 'create a vol');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog', { name: 'Create a volume' })).toBeVisible();
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();

  palette = await find(page, 'session-idle');
  await palette.getByRole('option', { name: /accounts.session-idle/ }).click();
  await expect(page.getByRole('grid', { name: 'Settings' })).toContainText('session-idle');

  palette = await find(page, 'anna');
  await palette.getByRole('option', { name: 'Events about “anna”' }).click();
  await expect(page).toHaveURL(/\/events\?q=anna/);
});

test('who may not read settings finds everything else', async ({ page, rest }) => {
  await rest.account('otto', 'operator');
  await rest.volume('haystack');
  await logIn(page, 'otto');
  const palette = await find(page, 'haystack');
  await expect(palette.getByRole('option', { name: 'haystack Volume' })).toBeVisible();
});
