import { expect, logIn, open, picture, test } from './kit';

const NAMES = ['<img src=x onerror="document.title=1">', '{{ 7 * 7 }}', '${1+1}', "o'hara & söhne \u202e"];

test.beforeEach(async ({ page, rest }) => {
  await rest.account('cora', 'storage-admin');
  await rest.container();
  await logIn(page, 'cora');
  await open(page, 'Volumes');
});

test('a volume is made, found, deleted, and brought back', async ({ page, rest }) => {
  await page.getByRole('button', { name: 'Create a volume' }).click();
  const form = page.getByRole('dialog', { name: 'Create a volume' });
  await form.getByLabel('Name').fill('database disk');
  await form.getByLabel('Size').fill('nonsense');
  await expect(form.getByText('Expected a size such as 10 GiB.')).toBeVisible();
  await expect(form.getByRole('button', { name: 'Create a volume' })).toBeDisabled();
  await form.getByLabel('Size').fill('3 MiB');
  await form.getByRole('button', { name: 'The same as a command' }).click();
  await expect(form.locator('[data-command=coppice]')).toContainText(
    "./coppice volume create 'database disk' --size 3145728 --container",
  );
  await picture(page, 'create-volume');
  await form.getByRole('button', { name: 'Create a volume' }).click();

  const cell = page.getByRole('gridcell', { name: 'database disk', exact: true });
  await expect(cell).toBeVisible();
  const made = (await rest.call('GET', '/volumes?name=database%20disk')).items[0];
  expect(made.size).toBe(3 << 20);

  await page.getByRole('textbox', { name: 'Search' }).fill('DATABASE');
  await expect(page.getByRole('status').getByText('1 of')).toBeVisible();
  expect(new URL(page.url()).search).toBe('?q=DATABASE');

  await page.getByRole('checkbox', { name: 'Select database disk' }).check();
  await page.getByRole('button', { name: 'Delete (1 selected)' }).click();
  const question = page.getByRole('dialog', { name: 'Delete this volume?' });
  await expect(question.locator('[data-figure]')).toBeVisible();
  const freed = await rest.call('GET', `/space/freed?ids=${made.id}`);
  await expect(question.getByText(freed.sentence)).toBeVisible();
  await picture(page, 'delete-volume');
  await question.getByRole('button', { name: 'Delete' }).click();

  await expect(page.getByText('database disk was deleted.')).toBeVisible();
  await expect(cell).toBeHidden();
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(page.getByText('database disk is back.')).toBeVisible();
  await expect(cell).toBeVisible();
  expect((await rest.call('GET', `/volumes/${made.id}`)).name).toBe('database disk');
});

test('the bin restores one thing and deletes another for good', async ({ page, rest }) => {
  const kept = await rest.volume('kept');
  const gone = await rest.volume('gone');
  await rest.call('DELETE', `/volumes/${kept}`);
  await rest.call('DELETE', `/volumes/${gone}`);
  await open(page, 'Recycle bin');

  await page.getByRole('checkbox', { name: 'Select kept', exact: true }).check();
  await page.getByRole('button', { name: 'Restore (1 selected)' }).click();
  await expect(page.getByText('kept is back.')).toBeVisible();
  await expect(page.getByRole('gridcell', { name: 'kept', exact: true })).toBeHidden();
  expect((await rest.call('GET', `/volumes/${kept}`)).name).toBe('kept');

  await page.getByRole('checkbox', { name: 'Select gone', exact: true }).check();
  await page.getByRole('button', { name: 'Delete for good (1 selected)' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete for good' }).click();
  await expect(page.getByText('gone was deleted for good.')).toBeVisible();
  const bin = await rest.call('GET', '/bin?limit=1000');
  expect(bin.items.map((item: { id: string }) => item.id)).not.toContain(gone);
});

test('a change by another client appears by itself', async ({ page, rest }) => {
  const id = await rest.volume('made elsewhere');
  const cell = page.getByRole('gridcell', { name: 'made elsewhere', exact: true });
  await expect(cell).toBeVisible();

  await rest.call('PATCH', `/volumes/${id}`, { name: 'renamed elsewhere' });
  await expect(page.getByRole('gridcell', { name: 'renamed elsewhere', exact: true })).toBeVisible();
  await expect(cell).toBeHidden();

  await rest.call('DELETE', `/volumes/${id}?purge=true`);
  await expect(page.getByRole('gridcell', { name: 'renamed elsewhere', exact: true })).toBeHidden();
});

test('a change that comes while the list is on its way is not lost', async ({ page, rest }) => {
  const LIST = /\/api\/v1\/vvols\?/;
  let first = true;
  await page.route(LIST, async (route) => {
    const read = await route.fetch();
    if (first) {
      first = false;
      await rest.volume('made while it was read');
      await new Promise((resolve) => setTimeout(resolve, 2000)); // its event comes before the list
    }
    await route.fulfill({ response: read });
  });
  await page.reload();
  await expect(page.getByRole('gridcell', { name: 'made while it was read', exact: true })).toBeVisible();
  await page.unrouteAll({ behavior: 'wait' }); // another read may be on its way
});

test('hostile names are texts, wherever they are shown', async ({ page, rest }) => {
  const ids = [];
  for (const name of NAMES) {
    ids.push(await rest.volume(name));
  }
  const title = await page.title();
  for (const name of NAMES) {
    await page.getByRole('textbox', { name: 'Search' }).fill(name);
    await expect(page.getByTitle(name, { exact: true })).toHaveText(name);
  }
  await page.getByRole('button', { name: 'Clear the search' }).click();
  for (const id of ids) {
    await rest.call('DELETE', `/volumes/${id}`);
  }
  await open(page, 'Recycle bin');
  for (const name of NAMES) {
    await expect(page.getByTitle(name, { exact: true })).toHaveText(name);
  }
  await open(page, 'What happened');
  await expect(page.getByRole('grid', { name: 'What happened' })).toContainText(NAMES[0]!);
  expect(await page.title()).toBe(title);
});

test('the table is worked by the keyboard', async ({ page, rest }) => {
  for (let i = 0; i < 3; i++) {
    await rest.volume(`key-${i}`);
  }
  await page.getByRole('textbox', { name: 'Search' }).fill('key-');
  await expect(page.getByTitle('key-2')).toBeVisible();
  const grid = page.getByRole('grid', { name: 'Volumes' });
  await grid.focus();
  await grid.press('End');
  await grid.press('ArrowUp');
  await grid.press(' ');
  await expect(page.getByRole('checkbox', { name: 'Select key-1' })).toBeChecked();
  await grid.press('Home');
  await grid.press(' ');
  await expect(page.getByRole('checkbox', { name: 'Select key-0' })).toBeChecked();
  await expect(page.getByRole('checkbox', { name: 'Select key-1' })).toBeChecked();
  await expect(page.getByRole('button', { name: 'Delete (2 selected)' })).toBeVisible();

  await page.getByRole('columnheader', { name: 'Name' }).getByRole('button').press('Enter');
  await expect(page.getByRole('columnheader', { name: 'Name' })).toHaveAttribute('aria-sort', 'descending');
  expect(new URL(page.url()).searchParams.get('sort')).toBe('-name');
});

test('a row that leaves gives the keyboard back to the table', async ({ page, rest }) => {
  const made: string[] = [];
  for (let i = 0; i < 60; i++) {
    made.push(await rest.volume(`row ${100 + i}`));
  }
  await page.goto('/ui/volumes?q=row%201&sort=name');
  const grid = page.getByRole('grid', { name: 'Volumes' });
  const link = (name: string) => grid.getByRole('link', { name, exact: true });
  await expect(link('row 100')).toBeVisible();
  await grid.focus();
  await page.keyboard.press('ArrowDown');
  await expect(link('row 101')).toHaveAttribute('tabindex', '0');
  await expect(link('row 100')).toHaveAttribute('tabindex', '-1');
  await link('row 101').focus();
  await grid.evaluate((table) => table.scrollTo(0, table.scrollHeight));
  await expect(link('row 159')).toBeVisible();
  await expect(grid).toBeFocused();
  const owned = await grid.locator('.c-table-body').getAttribute('aria-owns');
  const names = await page.evaluate(
    (ids) => ids.map((id) => document.getElementById(id)?.querySelector('a')?.textContent ?? ''),
    (owned ?? '').split(' '),
  );
  expect(names.at(-1)).toBe('row 159');
  expect(names).toEqual([...names].sort());
  for (const id of made) {
    await rest.call('DELETE', `/volumes/${id}?purge=true`); // other tests see the first rows only
  }
});

test('who may not do something sees why', async ({ page, rest }) => {
  await rest.account('otto', 'operator');
  await page.locator('[data-account=cora]').click();
  await page.getByRole('menuitem', { name: 'Log out' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Log in to Coppice' })).toBeVisible();
  await logIn(page, 'otto', '/ui/volumes');

  const create = page.getByRole('button', { name: 'Create a volume' });
  await expect(create).toHaveAttribute('aria-disabled', 'true');
  await create.focus();
  await expect(page.getByRole('tooltip')).toHaveText('This needs the role storage-admin; you have operator.');
  await create.press('Enter');
  await expect(page.getByRole('dialog')).toBeHidden();
});
