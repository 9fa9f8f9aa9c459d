import { adminToken, expect, logIn, open, PASSWORD, picture, test } from './kit';

test('the token of the home makes the first account, which is logged in', async ({ page }) => {
  await page.goto('/');
  await page.getByRole('button', { name: 'No account yet? Make the first one' }).click();
  await page.getByLabel('Token').fill(adminToken());
  await page.getByLabel('Name of the account').fill('anna');
  await page.getByLabel('Password, at least 12 characters').fill(PASSWORD);
  await page.getByRole('button', { name: 'Make the account and log in' }).click();

  await expect(page.getByRole('heading', { level: 1, name: 'Overview' })).toBeVisible();
  await expect(page.locator('[data-account=anna]')).toHaveText('anna, admin');
  expect(new URL(page.url()).pathname).toBe('/ui/');
  // The token was used, and kept nowhere.
  const kept = await page.evaluate(() => JSON.stringify({ ...localStorage, ...sessionStorage }));
  expect(kept).not.toContain(adminToken());
});

test('a wrong token makes no account, and what was typed stays', async ({ page }) => {
  await page.goto('/ui/');
  await page.getByRole('button', { name: 'No account yet? Make the first one' }).click();
  await page.getByLabel('Token').fill('wrong');
  await page.getByLabel('Name of the account').fill('mallory');
  await page.getByLabel('Password, at least 12 characters').fill(PASSWORD);
  await page.getByRole('button', { name: 'Make the account and log in' }).click();

  await expect(page.getByRole('alert')).toBeVisible();
  await expect(page.getByLabel('Name of the account')).toHaveValue('mallory');
});

test('a wrong password is refused with the reason of the server', async ({ page, rest }) => {
  await rest.account('anna', 'admin');
  await page.goto('/ui/volumes');
  await page.getByLabel('Name').fill('anna');
  await page.getByLabel('Password').fill('something else entirely');
  await page.getByRole('button', { name: 'Log in', exact: true }).click();

  await expect(page.getByRole('alert')).toContainText('password');
  await expect(page.getByLabel('Name')).toHaveValue('anna');
  await expect(page.getByLabel('Password')).toHaveValue('');
});

test('the login leads to the page that was asked for, and the logout ends it', async ({ page, rest }) => {
  await rest.account('anna', 'admin');
  await logIn(page, 'anna', '/ui/volumes?q=x');
  await expect(page.getByRole('heading', { level: 1, name: 'Volumes' })).toBeVisible();
  expect(new URL(page.url()).search).toBe('?q=x');

  await page.reload();
  await expect(page.locator('[data-account=anna]')).toBeVisible();

  await page.locator('[data-account=anna]').click();
  await page.getByRole('menuitem', { name: 'Log out' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Log in to Coppice' })).toBeVisible();
  await page.reload();
  await expect(page.getByRole('heading', { level: 1, name: 'Log in to Coppice' })).toBeVisible();
});

test('a session that ends in the middle of a form loses nothing that was typed', async ({ page, rest }) => {
  await rest.account('berta', 'storage-admin');
  await rest.container();
  await logIn(page, 'berta');
  await open(page, 'Volumes');
  await page.getByRole('button', { name: 'Create a volume' }).click();
  const form = page.getByRole('dialog', { name: 'Create a volume' });
  await form.getByLabel('Name').fill('typed-before');
  await form.getByLabel('Size').fill('2 MiB');

  const { items } = await rest.call('GET', '/sessions?limit=1000');
  for (const one of items.filter((it: { name: string }) => it.name === 'berta')) {
    await rest.call('DELETE', `/sessions/${one.id}`);
  }
  await form.getByRole('button', { name: 'Create a volume' }).click();

  const again = page.getByRole('dialog', { name: 'Log in again' });
  await expect(again).toBeVisible();
  await picture(page, 'session-ended');
  await again.getByLabel('Password').fill(PASSWORD);
  await again.getByRole('button', { name: 'Log in', exact: true }).click();

  await expect(page.getByText('typed-before was created.')).toBeVisible();
  await expect(page.getByRole('gridcell', { name: 'typed-before', exact: true })).toBeVisible();
});
