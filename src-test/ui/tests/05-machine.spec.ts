import { expect, logIn, open, picture, type Rest, test, violations } from './kit';

// The test of the browser keeps a machine of vCenter at work meanwhile: WorkingMachine.
const NAME = 'web server';

async function machine(rest: Rest): Promise<string> {
  const { items } = await rest.call('GET', `/vms?name=${encodeURIComponent(NAME)}`);
  return items[0].id as string;
}

test.beforeEach(async ({ rest }) => {
  await rest.account('anna', 'admin');
});

test('a virtual machine shows its disks, its load, and why it is as fast as it is', async ({ page, rest }) => {
  const id = await machine(rest);
  await logIn(page, 'anna');
  await open(page, 'Virtual machines');
  await page.getByRole('link', { name: NAME, exact: true }).click();
  await expect(page.getByRole('heading', { level: 1, name: NAME })).toBeVisible();
  expect(new URL(page.url()).pathname).toBe(`/ui/vms/${id}`);
  await expect(page.getByRole('link', { name: `${NAME}.vmdk`, exact: true })).toBeVisible();
  await expect(page.getByRole('link', { name: `${NAME}_1.vmdk`, exact: true })).toBeVisible();
  await expect(page.locator('[data-now=iops]')).toContainText(/[1-9]/);
  await expect(page.locator('[data-cause]')).toBeVisible();
  await page.getByRole('button', { name: 'Ask again' }).click();
  await expect(page.locator('[data-cause]')).toBeVisible();
  expect(await violations(page)).toEqual([]);
  await picture(page, 'machine');
});

test('a snapshot of a virtual machine is one of all its disks', async ({ page, rest }) => {
  const id = await machine(rest);
  await logIn(page, 'anna', `/ui/vms/${id}`);
  await page.getByRole('button', { name: 'Take a snapshot' }).click();
  await page.getByRole('dialog').getByLabel('Name').fill('before the update');
  await page.getByRole('dialog').getByRole('button', { name: 'Take a snapshot' }).click();
  await expect(page.getByText('Snapshot before the update was taken.')).toBeVisible();
  const { items } = await rest.call('GET', `/vms/${id}/snapshots?name=before%20the%20update`);
  expect(items).toHaveLength(3); // the configuration and two disks
  expect(new Set(items.map((one: { group: string }) => one.group)).size).toBe(1);
  await expect(
    page.getByRole('grid', { name: 'Snapshots' }).getByRole('row', { name: /before the update/ }),
  ).toHaveCount(3);
});

test('a limit of a virtual machine takes effect at once', async ({ page, rest }) => {
  const id = await machine(rest);
  await logIn(page, 'anna', `/ui/vms/${id}`);
  await page.getByLabel('I/Os a second, at most').fill('1000');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('The limits hold from now on.')).toBeVisible();
  expect((await rest.call('GET', `/vms/${id}/limits`)).maxIops).toBe(1000);
  await page.getByRole('button', { name: 'Remove all limits' }).click();
  await expect.poll(async () => (await rest.call('GET', `/vms/${id}/limits`)).maxIops).toBeNull();
});

test('the busiest lead to their pages', async ({ page, rest }) => {
  const id = await machine(rest);
  await logIn(page, 'anna');
  await page.getByRole('button', { name: 'Virtual machines', exact: true }).click();
  await page.getByRole('link', { name: NAME, exact: true }).click();
  expect(new URL(page.url()).pathname).toBe(`/ui/vms/${id}`);
});

test('what belongs to vCenter says so', async ({ page, rest }) => {
  const { items } = await rest.call('GET', `/vvols?vm=${await machine(rest)}&sort=name`);
  const disk = items.find((one: { type: string }) => one.type === 'Data');
  await logIn(page, 'anna', `/ui/volumes/${disk.id}`);
  for (const button of ['Change', 'Delete']) {
    const action = page.locator('.c-head').getByRole('button', { name: button, exact: true });
    await expect(action).toHaveAttribute('aria-disabled', 'true');
    await action.focus();
    await expect(page.getByRole('tooltip')).toContainText('It belongs to vCenter');
  }
});

test('the host of vCenter stands with its paths and bindings', async ({ page }) => {
  await logIn(page, 'anna', '/ui/hosts');
  await expect(page.getByRole('grid', { name: 'Hosts' })).toContainText('1 path');
  await page.goto('/ui/hosts?tab=sessions');
  await expect(page.getByRole('grid', { name: 'Sessions' })).toContainText(':pe');
  await page.goto('/ui/vcenters?tab=bindings');
  await expect(page.getByText(/web server/).first()).toBeVisible();
});
