import { compareFigures } from './figures';
import { expect, logIn, open, picture, test, violations } from './kit';

test.beforeEach(async ({ rest }) => {
  await rest.account('cora', 'storage-admin');
});

test('a container is made, edited, and deleted once it is empty', async ({ page, rest }) => {
  await logIn(page, 'cora');
  await open(page, 'Containers');
  await page.getByRole('button', { name: 'Create a container' }).click();
  const form = page.getByRole('dialog', { name: 'Create a container' });
  await form.getByRole('textbox', { name: 'Name', exact: true }).fill('spare shelf');
  await form.getByRole('textbox', { name: 'Quota' }).fill('64 MiB');
  await form.getByRole('button', { name: 'The same as a command' }).click();
  await expect(form.locator('[data-command=coppice]')).toHaveText(
    "./coppice container create 'spare shelf' --quota 67108864",
  );
  await form.getByRole('button', { name: 'Create a container' }).click();
  await expect(page.getByText('spare shelf was created.')).toBeVisible();

  await page.getByRole('link', { name: 'spare shelf', exact: true }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'spare shelf' })).toBeVisible();
  const { items } = await rest.call('GET', '/containers?name=spare%20shelf');
  const { id } = items[0];
  expect(await compareFigures(page, rest)).toBeGreaterThan(6);
  await expect(page.getByRole('img', { name: /History of its space/ })).toBeVisible();
  expect(await violations(page), 'a container').toEqual([]);
  await picture(page, 'container');

  await page.getByRole('button', { name: 'Edit', exact: true }).click();
  const edit = page.getByRole('dialog', { name: 'Edit the container spare shelf' });
  await edit.getByRole('textbox', { name: 'Quota' }).fill('much');
  await expect(edit.getByText('Expected a size such as 10 GiB.')).toBeVisible();
  await expect(edit.getByRole('button', { name: 'Save' })).toBeDisabled();
  await edit.getByRole('textbox', { name: 'Quota' }).fill('128 MiB');
  await edit.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('spare shelf was changed.')).toBeVisible();
  expect((await rest.call('GET', `/containers/${id}`)).quota).toBe(128 << 20);

  const volume = await rest.call('POST', '/volumes', { name: 'in the way', size: 1 << 20, container: id });
  await expect(page.locator(`[data-figure="/containers/${id}#/vvols"]`)).toHaveText('1');
  const remove = page.getByRole('button', { name: 'Delete', exact: true });
  await expect(remove).toHaveAttribute('aria-disabled', 'true');
  await remove.focus();
  await expect(page.getByRole('tooltip')).toHaveText(
    'Only an empty container can be deleted. It still has a volume.',
  );
  await rest.call('DELETE', `/volumes/${volume.id}?purge=true`);
  await expect(remove).not.toHaveAttribute('aria-disabled', 'true');
  await remove.click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await expect(page.getByText('spare shelf was deleted.')).toBeVisible();
  await expect(page.getByRole('heading', { level: 1, name: 'Containers' })).toBeVisible();
});

test('a container gives its volumes a policy', async ({ page, rest }) => {
  const container = await rest.container();
  const policy = await rest.call('POST', '/policies', { name: 'usual', maxIops: 100 });
  await logIn(page, 'cora', `/ui/containers/${container}`);
  await page.getByRole('button', { name: 'Change the policy of Other' }).click();
  const form = page.getByRole('dialog', { name: 'Policy of Other volumes that come without one' });
  await expect(form.getByRole('button', { name: 'Save' })).toBeDisabled();
  await form.getByRole('combobox', { name: 'Policy' }).selectOption('usual');
  await form.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('The policy of Other volumes was changed.')).toBeVisible();
  const defaults = `/containers/${container}/default-policies`;
  expect((await rest.call('GET', defaults)).Other).toBe(policy.id);
  await expect(page.getByRole('link', { name: 'usual' })).toBeVisible();

  await page.getByRole('button', { name: 'Change the policy of Other' }).click();
  await form.getByRole('combobox', { name: 'Policy' }).selectOption('No policy');
  await form.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByRole('link', { name: 'usual' })).toBeHidden();
  expect(await rest.call('GET', defaults)).toEqual({});
  await rest.call('DELETE', `/policies/${policy.id}`);
});

test('a policy is made, said in words, and shows which volumes have an older edition', async ({ page, rest }) => {
  await logIn(page, 'cora');
  await open(page, 'Policies');
  await page.getByRole('button', { name: 'Create a policy' }).click();
  const form = page.getByRole('dialog', { name: 'Create a policy' });
  await form.getByRole('textbox', { name: 'Name', exact: true }).fill('bronze');
  await form.getByRole('textbox', { name: 'I/Os a second, at most' }).fill('5');
  await expect(form.getByText('Expected a number from 10 to 10000000.')).toBeVisible();
  await expect(form.getByRole('button', { name: 'Create a policy' })).toBeDisabled();
  await form.getByRole('textbox', { name: 'I/Os a second, at most' }).fill('500');
  await form.getByRole('textbox', { name: 'The youngest recovery point is at most so old' }).fill('2');
  await form.getByRole('button', { name: 'The same as a command' }).click();
  await expect(form.locator('[data-command=coppice]')).toContainText('./coppice policy apply --file - <<<');
  expect(await violations(page), 'the form of a policy').toEqual([]);
  await picture(page, 'create-policy');
  await form.getByRole('button', { name: 'Create a policy' }).click();
  await expect(page.getByText('bronze was created.')).toBeVisible();

  const policy = (await rest.call('GET', '/policies?name=bronze')).items[0];
  expect(policy).toMatchObject({ maxIops: 500, recoveryPointAge: 'PT2H' });
  const container = await rest.container();
  const volume = { name: 'bronze disk', size: 1 << 20, container, policy: policy.id };
  await rest.call('POST', '/volumes', volume);
  await page.getByRole('link', { name: 'bronze', exact: true }).click();
  await expect(page.getByText('At most 500 I/Os a second.')).toBeVisible();
  await expect(page.getByText('The youngest recovery point is at most 2 hours old.')).toBeVisible();
  const volumes = page.getByRole('region', { name: 'Volumes that have it' });
  await expect(volumes.getByRole('link', { name: 'bronze disk' })).toBeVisible();
  await expect(volumes.getByText('this one')).toBeVisible();

  await page.getByRole('button', { name: 'Edit', exact: true }).click();
  const edit = page.getByRole('dialog', { name: 'Edit the policy bronze' });
  await edit.getByRole('textbox', { name: 'I/Os a second, at most' }).fill('600');
  await edit.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('bronze was changed.')).toBeVisible();
  await expect(page.getByText('At most 600 I/Os a second.')).toBeVisible();
  await expect(volumes.getByText('an older edition applied (1)')).toBeVisible();
  await compareFigures(page, rest);
  expect(await violations(page), 'a policy').toEqual([]);
  await picture(page, 'policy');
});

test('of two people who edit a policy, the second sees what changed and keeps what he typed', async ({ page, rest }) => {
  const made = await rest.call('POST', '/policies', { name: 'contested', maxIops: 500, description: 'First' });
  await logIn(page, 'cora', `/ui/policies/${made.id}`);
  await page.getByRole('button', { name: 'Edit', exact: true }).click();
  const edit = page.getByRole('dialog', { name: 'Edit the policy contested' });
  await edit.getByRole('textbox', { name: 'Description' }).fill('Mine');
  await rest.call('PUT', `/policies/${made.id}`, {
    name: 'contested',
    description: 'First',
    generation: made.generation,
    maxIops: 700,
    snapshotInterval: 'PT1H',
  });
  await edit.getByRole('button', { name: 'Save' }).click();

  const conflict = edit.locator('[data-conflict]');
  await expect(conflict.getByText('Somebody else has changed it meanwhile.')).toBeVisible();
  await expect(conflict.getByRole('row', { name: 'I/Os a second, at most 500 700' })).toBeVisible();
  await expect(conflict.getByRole('row', { name: 'A snapshot every not demanded 1 hour' })).toBeVisible();
  await expect(conflict.getByRole('row')).toHaveCount(3);
  await expect(edit.getByRole('textbox', { name: 'Description' })).toHaveValue('Mine');
  await expect(edit.getByRole('textbox', { name: 'I/Os a second, at most' })).toHaveValue('700');
  expect(await violations(page), 'a conflict').toEqual([]);
  await picture(page, 'edit-conflict');

  await edit.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('contested was changed.')).toBeVisible();
  expect(await rest.call('GET', `/policies/${made.id}`)).toMatchObject({
    description: 'Mine',
    maxIops: 700,
    snapshotInterval: 'PT1H',
  });
});

test('a protection policy has rules that say what they do', async ({ page, rest }) => {
  await logIn(page, 'cora');
  await open(page, 'Protection');
  await page.getByRole('button', { name: 'Create a protection policy' }).click();
  const form = page.getByRole('dialog', { name: 'Create a protection policy' });
  await form.getByRole('textbox', { name: 'Name', exact: true }).fill('silver');
  await expect(form.getByText('A rule or continuous points are needed.')).toBeVisible();
  await form.getByRole('button', { name: 'Each day' }).click();
  const rule = form.getByRole('group', { name: 'Rule daily' });
  await rule.getByLabel('Time of day').fill('03:30');
  await rule.getByRole('combobox', { name: 'Time zone' }).selectOption('Europe/Berlin');
  await rule.getByRole('combobox', { name: 'Keep', exact: true }).selectOption('For a time');
  await rule.getByRole('textbox', { name: 'Keep for' }).fill('14');
  await expect(rule.getByText('Each day at 03:30 (Europe/Berlin), kept for 14 days')).toBeVisible();
  await form.getByRole('button', { name: 'Each hour' }).click();
  await form.getByRole('button', { name: 'Remove the rule hourly' }).click();
  await form.getByRole('button', { name: 'Add continuous points' }).click();
  await form.getByRole('button', { name: 'The same as a command' }).click();
  await expect(form.locator('[data-command=coppice]')).toHaveText(
    "./coppice protection-policy create silver --rule 'daily 03:30 Europe/Berlin keep 14d' --continuous '5s for 1h'",
  );
  expect(await violations(page), 'the form of a protection policy').toEqual([]);
  await picture(page, 'create-protection-policy');
  await form.getByRole('button', { name: 'Create a protection policy' }).click();
  await expect(page.getByText('silver was created.')).toBeVisible();
  const policy = (await rest.call('GET', '/protection-policies?name=silver')).items[0];
  expect(policy.rules).toMatchObject([
    { name: 'daily', kind: 'daily', at: '03:30', zone: 'Europe/Berlin', keepFor: 'P14D' },
  ]);
  expect(policy.continuous).toEqual([{ every: 'PT5S', keepFor: 'PT1H' }]);

  await page.getByRole('link', { name: 'silver', exact: true }).click();
  await expect(page.getByText('Each day at 03:30 (Europe/Berlin), kept for 14 days')).toBeVisible();
  await page.getByRole('button', { name: 'Edit', exact: true }).click();
  const edit = page.getByRole('dialog', { name: 'Edit the protection policy silver' });
  await edit.getByRole('textbox', { name: 'Keep for' }).first().fill('30');
  await edit.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('silver was changed.')).toBeVisible();
  await expect(page.getByText('Each day at 03:30 (Europe/Berlin), kept for 30 days')).toBeVisible();
  await compareFigures(page, rest);
  expect(await violations(page), 'a protection policy').toEqual([]);
  await page.getByRole('button', { name: 'Delete', exact: true }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await expect(page.getByText('silver was deleted.')).toBeVisible();
});

test('a group is protected, and its points are taken, locked, deleted and brought back', async ({ page, rest }) => {
  const volume = await rest.volume('guarded disk');
  const rules = [{ name: 'month', kind: 'monthly', day: '1', at: '03:00', zone: 'UTC', keepCount: 2 }];
  await rest.call('POST', '/protection-policies', { name: 'monthly', rules });
  await logIn(page, 'cora', '/ui/protection?tab=groups');
  await page.getByRole('button', { name: 'Create a group' }).click();
  const form = page.getByRole('dialog', { name: 'Create a group' });
  await form.getByRole('textbox', { name: 'Name', exact: true }).fill('guarded');
  await form.getByRole('combobox', { name: 'Protection policy' }).selectOption('monthly');
  await form.getByRole('textbox', { name: 'Search: Volumes' }).fill('guarded');
  await form.getByRole('checkbox', { name: 'guarded disk' }).check();
  expect(await violations(page), 'the form of a group').toEqual([]);
  await form.getByRole('button', { name: 'Create a group' }).click();
  await expect(page.getByText('guarded was created.')).toBeVisible();
  const group = (await rest.call('GET', '/protection-groups?name=guarded')).items[0];
  expect(group.members).toEqual([{ vm: null, volume }]);

  await page.getByRole('checkbox', { name: 'Select guarded', exact: true }).check();
  await page.getByRole('button', { name: 'Show members' }).click();
  await expect(page.getByRole('dialog').getByRole('link', { name: 'guarded disk' })).toBeVisible();
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).last().click();
  for (const name of ['before the move', 'after the move']) {
    await page.getByRole('button', { name: 'Take a point now' }).click();
    const question = page.getByRole('dialog', { name: 'Take a point of guarded' });
    await question.getByRole('textbox', { name: 'Name of the point' }).fill(name);
    await question.getByRole('button', { name: 'Take a point now' }).click();
    await expect(page.getByText(`The point ${name} was taken.`)).toBeVisible();
  }

  await page.getByRole('button', { name: 'Show points' }).click();
  await expect(page).toHaveURL(new RegExp(`tab=points&group=${group.id}`));
  await page.getByRole('checkbox', { name: 'Select before the move' }).check();
  await page.getByRole('button', { name: 'Delete', exact: true }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await expect(page.getByText('before the move was deleted.')).toBeVisible();
  await expect(page.getByTitle('before the move')).toBeHidden();
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(page.getByText('before the move is back.')).toBeVisible();
  await expect(page.getByTitle('before the move')).toBeVisible();

  await page.getByRole('checkbox', { name: 'Select after the move' }).check();
  await page.getByRole('checkbox', { name: 'Select before the move' }).uncheck();
  await page.getByRole('button', { name: 'Lock', exact: true }).click();
  const lock = page.getByRole('dialog', { name: 'Lock after the move' });
  await lock.getByRole('textbox', { name: 'From now on for' }).fill('1');
  await lock.getByRole('combobox', { name: 'Unit of: From now on for' }).selectOption('minutes');
  await lock.getByRole('button', { name: 'Lock', exact: true }).click();
  await expect(page.getByText('after the move is locked until')).toBeVisible();
  const remove = page.getByRole('button', { name: 'Delete', exact: true });
  await expect(remove).toHaveAttribute('aria-disabled', 'true');
  await picture(page, 'recovery-points');
});

test('an export of a point gives the lines for its host', async ({ page, rest }) => {
  const volume = await rest.volume('looked into');
  await rest.call('POST', '/hosts', { name: 'onlooker', initiators: ['iqn.2026-11.example:onlooker'] });
  const rules = [{ name: 'hourly', kind: 'hourly', minute: 0, keepCount: 2 }];
  const policy = await rest.call('POST', '/protection-policies', { name: 'looked', rules });
  const members = [{ volume }];
  const group = await rest.call('POST', '/protection-groups', { name: 'looked', policy: policy.id, members });
  await rest.call('POST', `/protection-groups/${group.id}/points`, { name: 'glance' });
  await logIn(page, 'cora', `/ui/protection?tab=points&group=${group.id}`);
  await page.getByRole('checkbox', { name: 'Select glance' }).check();
  await page.getByRole('button', { name: 'Export', exact: true }).click();
  const form = page.getByRole('dialog', { name: 'Export glance to hosts for a time' });
  await form.getByRole('checkbox', { name: 'onlooker' }).check();
  await form.getByRole('button', { name: 'Export', exact: true }).click();
  await expect(page.locator('[data-system=linux]')).toContainText('iscsiadm');
  const { items } = await rest.call('GET', '/temporary-exports?limit=100');
  expect(items).toHaveLength(1);
  await rest.call('DELETE', `/temporary-exports/${items[0].id}`);
});

test('who may not change protection sees why, and hostile names are texts', async ({ page, rest }) => {
  const name = '<img src=x onerror="document.title=1">'.padEnd(80, 'x');
  const rules = [{ name: 'hourly', kind: 'hourly', minute: 0, keepCount: 2 }];
  const policy = await rest.call('POST', '/protection-policies', { name, rules });
  await rest.account('otto', 'operator');
  await logIn(page, 'otto', '/ui/protection');
  await expect(page.getByTitle(name, { exact: true })).toHaveText(name);
  const create = page.getByRole('button', { name: 'Create a protection policy' });
  await create.focus();
  await expect(page.getByRole('tooltip')).toHaveText('This needs the role storage-admin; you have operator.');
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto(`/ui/protection/policies/${policy.id}`);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(name);
  const wider = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  expect(wider, 'pixels by which the page is wider than the window').toBeLessThanOrEqual(0);
  await rest.call('DELETE', `/protection-policies/${policy.id}`);
});
