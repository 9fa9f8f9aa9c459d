import { expect, logIn, picture, test } from './kit';

test.beforeEach(async ({ rest }) => {
  await rest.account('cora', 'storage-admin');
});

test('a volume is renamed, grown and labelled from its page', async ({ page, rest }) => {
  const id = await rest.volume('small disk');
  await rest.call('PATCH', `/volumes/${id}`, { labels: { app: 'shop', tier: 'gold' } });
  await logIn(page, 'cora', `/ui/volumes/${id}`);

  await page.getByRole('button', { name: 'Change', exact: true }).click();
  const form = page.getByRole('dialog', { name: 'Change small disk' });
  const save = form.getByRole('button', { name: 'Save' });
  await expect(save).toBeDisabled();
  await form.getByLabel('Name').fill('larger disk');
  await form.getByLabel('Size').fill('512 KiB');
  await expect(form.getByText('Expected at least 1 MiB: a volume does not shrink.')).toBeVisible();
  await expect(save).toBeDisabled();
  await form.getByLabel('Size').fill('4 MiB');
  await form.getByLabel('Labels').fill('app=shop\nnonsense');
  await expect(form.getByText('Expected KEY=VALUE, found: nonsense')).toBeVisible();
  await form.getByLabel('Labels').fill('app=store\nowner=cora');
  await form.getByRole('button', { name: 'The same as a command' }).click();
  await expect(form.locator('[data-command=coppice]')).toHaveText(
    `./coppice volume update ${id} --size 4194304 --name 'larger disk'` +
      ' --remove-label tier --label app=store --label owner=cora',
  );
  await picture(page, 'change-volume');
  await save.click();

  await expect(page.getByText('small disk was changed.')).toBeVisible();
  await expect(page.getByRole('heading', { level: 1, name: 'larger disk' })).toBeVisible();
  expect(await rest.call('GET', `/volumes/${id}`)).toMatchObject({
    name: 'larger disk',
    size: 4 << 20,
    labels: { app: 'store', owner: 'cora' },
  });
});

test('a change that somebody else made meanwhile is not undone', async ({ page, rest }) => {
  const id = await rest.volume('contested disk');
  await logIn(page, 'cora', `/ui/volumes/${id}`);
  await page.getByRole('button', { name: 'Change', exact: true }).click();
  const form = page.getByRole('dialog');
  await form.getByLabel('Labels').fill('of=cora');
  await rest.call('PATCH', `/volumes/${id}`, { labels: { of: 'somebody else' } });
  await form.getByRole('button', { name: 'Save' }).click();
  await expect(form.locator('[data-conflict]')).toContainText('of=somebody else');
  await expect(form.getByLabel('Labels')).toHaveValue('of=cora');
  expect((await rest.call('GET', `/volumes/${id}`)).labels).toEqual({ of: 'somebody else' });
  await picture(page, 'change-volume-conflict');
  await form.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('contested disk was changed.')).toBeVisible();
  expect((await rest.call('GET', `/volumes/${id}`)).labels).toEqual({ of: 'cora' });
});

test('a volume is cloned and deleted from its page', async ({ page, rest }) => {
  const id = await rest.volume('first disk');
  await logIn(page, 'cora', `/ui/volumes/${id}`);
  await page.locator('.c-head').getByRole('button', { name: 'Clone', exact: true }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Clone' }).click();
  await expect(page.getByText('first disk copy was created.')).toBeVisible();
  expect((await rest.call('GET', '/volumes?name=first%20disk%20copy')).items).toHaveLength(1);

  await page.getByRole('button', { name: 'Delete', exact: true }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await expect(page.getByText('first disk was deleted.')).toBeVisible();
  await expect(page.getByRole('heading', { level: 1, name: 'Volumes' })).toBeVisible();
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(page.getByText('first disk is back.')).toBeVisible();
});

test('several volumes get a policy and a protection group at once', async ({ page, rest }) => {
  const ids = [await rest.volume('pair 1'), await rest.volume('pair 2')];
  const policy = await rest.call('POST', '/policies', { name: 'for pairs', maxIops: 500 });
  await rest.call('POST', '/protection-policies', {
    name: 'each ten minutes',
    rules: [],
    continuous: [{ every: 'PT10M', keepFor: 'PT1H' }],
  });
  await logIn(page, 'cora', '/ui/volumes?q=pair%20');
  await page.getByRole('checkbox', { name: 'Select pair 1' }).check();
  await page.getByRole('checkbox', { name: 'Select pair 2' }).check();

  await page.getByRole('button', { name: 'Set the policy' }).click();
  const form = page.getByRole('dialog', { name: 'Set the policy of 2 volumes' });
  await form.getByLabel('Policy').selectOption('for pairs');
  await form.getByRole('button', { name: 'Set the policy' }).click();
  await expect(page.getByText('2 volumes have the policy now.')).toBeVisible();
  for (const id of ids) {
    expect((await rest.call('GET', `/volumes/${id}`)).policy.id).toBe(policy.id);
  }

  await page.getByRole('checkbox', { name: 'Select pair 1' }).check();
  await page.getByRole('checkbox', { name: 'Select pair 2' }).check();
  await page.getByRole('button', { name: 'Protect' }).click();
  const group = page.getByRole('dialog');
  await group.getByRole('textbox', { name: 'Name', exact: true }).fill('both of the pair');
  await group.getByRole('combobox').first().selectOption('each ten minutes');
  await group.getByRole('button', { name: /Create/ }).click();
  await expect(page.getByText('both of the pair was created.')).toBeVisible();
  const { items } = await rest.call('GET', '/protection-groups?name=both%20of%20the%20pair');
  expect(items[0].members.map((one: { volume: string }) => one.volume).sort()).toEqual(ids.sort());
});
