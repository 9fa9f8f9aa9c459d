import { expect, logIn, picture, test } from './kit';

test.beforeEach(async ({ rest }) => {
  await rest.account('cora', 'storage-admin');
});

test('an edit of a policy tells whom it would break, and is applied to the others', async ({ page, rest }) => {
  const container = (await rest.call('POST', '/containers', { name: 'tight', quota: 16 << 20 })).id;
  const policy = await rest.call('POST', '/policies', { name: 'lax', maxIops: 1000 });
  for (const name of ['roomy', 'greedy']) {
    await rest.call('POST', '/volumes', { name, size: 12 << 20, container, policy: policy.id });
  }
  await logIn(page, 'cora', `/ui/policies/${policy.id}`);

  await page.getByRole('button', { name: 'Edit', exact: true }).click();
  const form = page.getByRole('dialog', { name: 'Edit the policy lax' });
  await expect(form.locator('[data-preview=good]')).toBeVisible();
  await form.getByRole('combobox', { name: 'Space' }).selectOption('thick');
  const preview = form.locator('[data-preview=bad]');
  await expect(preview).toContainText('greedy');
  const told = await rest.call('POST', `/policies/${policy.id}/preview`, {
    name: 'lax',
    maxIops: 1000,
    spaceEfficiency: 'thick',
  });
  await expect(preview).toContainText(told.sentence);
  await expect(preview).toBeInViewport();
  await picture(page, 'policy-preview');
  await form.getByRole('combobox', { name: 'Space' }).selectOption('any');
  await expect(form.locator('[data-preview=good]')).toBeVisible();
  await form.getByRole('textbox', { name: /I\/Os/ }).fill('500');
  await form.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('lax was changed.')).toBeVisible();

  await page.getByRole('button', { name: 'Apply to 2 with an older edition' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Apply', exact: true }).click();
  await expect(page.getByRole('dialog')).toContainText('Applied to 2. Refused: 0. Left to vCenter: 0.');
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).last().click();
  await expect(page.getByRole('button', { name: /Apply to/ })).toBeHidden();
  const { items } = await rest.call('GET', `/volumes?policy=${policy.id}`);
  expect(items.map((one: { policy: { generation: number } }) => one.policy.generation)).toEqual([2, 2]);
});
