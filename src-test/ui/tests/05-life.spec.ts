import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, HOME, logIn, open, type Page, picture, type Rest, test } from './kit';

const NAME = 'file server';
const DISKS = [`${NAME}.vmdk`, `${NAME}_1.vmdk`];
const FOLDER = join(HOME, '..', 'machine');

let requests = 0;

/**
 * Has the machine do what only its host can: write, read, delete (DirectedMachine). Its host loses its
 * paths to the tests of portals, so this one comes before them.
 */
async function machine(request: string): Promise<string> {
  requests++;
  writeFileSync(join(FOLDER, 'asking'), request);
  renameSync(join(FOLDER, 'asking'), join(FOLDER, `asked-${requests}`));
  const answer = join(FOLDER, `answer-${requests}`);
  await expect.poll(() => existsSync(answer), { timeout: 30_000 }).toBe(true);
  return readFileSync(answer, 'utf8');
}

/** The newest point, once there is one of all that was written by a time: what changes has one within 5 s. */
async function pointOf(rest: Rest, id: string, written: number): Promise<number> {
  await expect.poll(() => Date.now() - written, { timeout: 30_000 }).toBeGreaterThan(7000);
  return Date.parse((await rest.call('GET', `/vms/${id}/timeline`)).newest);
}

async function confirm(page: Page, action: string): Promise<void> {
  await page.getByRole('dialog').getByRole('button', { name: action, exact: true }).click();
}

async function select(page: Page, name: string): Promise<void> {
  await page.getByRole('checkbox', { name: `Select ${name}`, exact: true }).first().check();
}

test('the whole life of a virtual machine', async ({ page, rest }) => {
  test.setTimeout(300_000);
  await rest.account('anna', 'admin');
  const { items } = await rest.call('GET', `/vms?name=${encodeURIComponent(NAME)}`);
  const id = items[0].id as string;
  const snapshots = page.getByRole('region', { name: 'Snapshots' });
  const timeline = page.locator('.pf-v6-c-card').filter({ hasText: 'Back to any moment' });
  const goTo = async () => {
    await open(page, 'Virtual machines');
    await page.getByRole('textbox', { name: 'Search' }).fill('file serv');
    await page.getByRole('link', { name: NAME, exact: true }).click();
    await expect(page.getByRole('heading', { level: 1, name: NAME })).toBeVisible();
  };
  let then = 0;

  await test.step('it is found, and protected from each five seconds on', async () => {
    await logIn(page, 'anna');
    await open(page, 'Protection');
    await page.getByRole('button', { name: 'Create a protection policy' }).click();
    const policy = page.getByRole('dialog', { name: 'Create a protection policy' });
    await policy.getByRole('textbox', { name: 'Name', exact: true }).fill('any five seconds');
    await policy.getByRole('button', { name: 'Add continuous points' }).click();
    await confirm(page, 'Create a protection policy');
    await expect(page.getByText('any five seconds was created.')).toBeVisible();
    await goTo();
    await expect(page.getByText('Nothing keeps a timeline of it.')).toBeVisible();
    await page.getByRole('button', { name: 'Protect' }).click();
    const group = page.getByRole('dialog', { name: 'Create a group' });
    await group.getByRole('textbox', { name: 'Name', exact: true }).fill('file servers');
    await group.getByRole('combobox', { name: 'Protection policy' }).selectOption('any five seconds');
    await confirm(page, 'Create a group');
    await expect(page.getByText('file servers was created.')).toBeVisible();
    await expect(timeline.getByRole('slider')).toBeVisible();
  });

  await test.step('its snapshot is one of all disks, and is locked', async () => {
    expect(await machine('write 1')).toBe('done');
    const written = Date.now();
    await snapshots.getByRole('button', { name: 'Take a snapshot' }).click();
    await page.getByRole('dialog').getByLabel('Name').fill('first day');
    await confirm(page, 'Take a snapshot');
    await expect(page.getByText('Snapshot first day was taken.')).toBeVisible();
    await expect(page.getByRole('checkbox', { name: 'Select first day' })).toHaveCount(3);
    await select(page, 'first day');
    await snapshots.getByRole('button', { name: 'Lock', exact: true }).click();
    const lock = page.getByRole('dialog', { name: 'Lock first day' });
    await lock.getByRole('textbox', { name: 'From now on for' }).fill('1');
    await lock.getByRole('combobox').selectOption({ label: 'minutes' });
    await confirm(page, 'Lock');
    await expect(page.getByText(/first day is locked until/)).toBeVisible();
    await expect(snapshots.getByRole('button', { name: 'Delete' })).toHaveAttribute('aria-disabled', 'true');
    then = await pointOf(rest, id, written);
  });

  await test.step('what a disk wrote since is compared', async () => {
    expect(await machine('write 2')).toBe('done');
    await page.getByRole('link', { name: DISKS[0], exact: true }).click();
    await expect(page.getByRole('heading', { level: 1, name: DISKS[0] })).toBeVisible();
    await select(page, 'first day');
    await snapshots.getByRole('button', { name: 'Compare with now' }).click();
    const sheet = page.getByRole('dialog', { name: 'From first day to now' });
    await expect(sheet.locator('[data-differs="4096"]')).toHaveText('4 KiB of 16 MiB differ.');
    await sheet.getByRole('button', { name: 'Close' }).last().click();
    await goTo();
  });

  await test.step('all of its disks go back to the snapshot, and that is undone', async () => {
    await select(page, 'first day');
    await snapshots.getByRole('button', { name: 'Revert to it' }).click();
    const dialog = page.getByRole('dialog', { name: 'Revert to first day?' });
    await expect(dialog.getByRole('checkbox', { name: 'The whole virtual machine' })).toBeChecked();
    await dialog.getByRole('button', { name: 'The same as a command' }).click();
    await expect(dialog.locator('[data-command=coppice]')).toContainText(`./coppice vm revert ${id} --snapshot`);
    await picture(page, 'revert-machine');
    await confirm(page, 'Revert to it');
    await expect(page.getByText('It is as it was in first day.')).toBeVisible();
    expect(await machine('read')).toBe('1 1');
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect(page.getByText('It is as it was before the revert.')).toBeVisible();
    expect(await machine('read')).toBe('2 2');
  });

  await test.step('it goes back to a moment, is cloned from there and given to a host', async () => {
    const slider = timeline.getByRole('slider');
    await slider.fill(String(then + 1000)); // the steps of a slider are whole seconds
    await timeline.getByRole('button', { name: 'Revert to it' }).click();
    await confirm(page, 'Revert to it');
    await expect(page.getByText(`${NAME} is as it was at`)).toBeVisible();
    expect(await machine('read')).toBe('1 1');
    await timeline.getByRole('button', { name: 'Clone from there' }).click();
    await page.getByRole('dialog').getByLabel('Name').fill('file server then');
    await confirm(page, 'Clone from there');
    await expect(page.getByText('file server then was created.')).toBeVisible();
    await rest.call('POST', '/hosts', { name: 'archivist', initiators: ['iqn.2026-11.example:files'] });
    await timeline.getByRole('button', { name: 'Give to a host from there' }).click();
    const given = page.getByRole('dialog');
    await given.getByLabel('Name').fill('files as they were');
    await given.getByRole('checkbox', { name: 'archivist' }).check();
    await confirm(page, 'Give to a host from there');
    await expect(given.locator('[data-system=linux]').first()).toContainText('iscsiadm');
    await given.getByRole('button', { name: 'Close' }).last().click();
  });

  await test.step('it is limited, and says why it is as fast as it is', async () => {
    await page.getByLabel('I/Os a second, at most').fill('500');
    await page.getByRole('button', { name: 'Save' }).click();
    await expect(page.getByText('The limits hold from now on.')).toBeVisible();
    await page.getByRole('button', { name: 'Ask again' }).click();
    await expect(page.locator('[data-cause]')).toBeVisible();
    await page.getByRole('button', { name: 'Remove all limits' }).click();
    await expect.poll(async () => (await rest.call('GET', `/vms/${id}/limits`)).maxIops).toBeNull();
  });

  await test.step('a snapshot is deleted, and brought back', async () => {
    await snapshots.getByRole('button', { name: 'Take a snapshot' }).click();
    await page.getByRole('dialog').getByLabel('Name').fill('second day');
    await confirm(page, 'Take a snapshot');
    await expect(page.getByRole('checkbox', { name: 'Select second day' })).toHaveCount(3);
    await page.getByRole('checkbox', { name: 'Select first day', exact: true }).first().uncheck();
    await select(page, 'second day');
    await snapshots.getByRole('button', { name: 'Delete' }).click();
    await confirm(page, 'Delete');
    await expect(page.getByText('second day was deleted.')).toBeVisible();
    await expect(page.getByRole('checkbox', { name: 'Select second day' })).toHaveCount(2);
    await page.getByRole('button', { name: 'Undo' }).last().click();
    await expect(page.getByText('second day is back.')).toBeVisible();
    await expect(page.getByRole('checkbox', { name: 'Select second day' })).toHaveCount(3);
    await picture(page, 'life-of-a-machine');
  });

  await test.step('vCenter deletes it, and the bin gives it back', async () => {
    const locked = async () =>
      (await rest.call('GET', `/vms/${id}/snapshots`)).items.filter(
        (one: { lockedUntil: string | null }) => one.lockedUntil !== null,
      );
    await expect.poll(locked, { timeout: 90_000 }).toEqual([]);
    expect(await machine('delete')).toBe('done');
    await open(page, 'Virtual machines');
    await expect(page.getByRole('link', { name: NAME, exact: true })).toBeHidden();
    await open(page, 'Recycle bin');
    await page.getByRole('textbox', { name: 'Search' }).fill(NAME);
    for (const name of [NAME, ...DISKS]) {
      await select(page, name);
    }
    await page.getByRole('button', { name: 'Restore (3 selected)' }).click();
    await expect(page.getByRole('checkbox', { name: `Select ${NAME}`, exact: true })).toBeHidden();
    await goTo();
    await expect(page.getByRole('checkbox', { name: 'Select first day' })).toHaveCount(3);
    expect(await machine('read')).toBe('1 1');
  });
});
