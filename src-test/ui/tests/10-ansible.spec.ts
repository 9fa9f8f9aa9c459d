import type { Locator, Page } from '@playwright/test';
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { adminToken, expect, HOME, logIn, open, required, test } from './kit';

const HEAD = `- hosts: localhost
  connection: local
  gather_facts: false
  tasks:
`;

/** The task of Ansible that a form shows for what it would send. */
async function taskOf(form: Locator): Promise<string> {
  await form.getByRole('button', { name: 'The same as a command' }).click();
  await form.getByRole('tab', { name: 'Ansible' }).click();
  return form.locator('[data-command=ansible]').innerText();
}

/** Runs a task as somebody would who has copied it into a playbook. */
async function play(task: string): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'coppice-ansible-'));
  const playbook = join(folder, 'playbook.yml');
  const variables = join(folder, 'variables.json');
  writeFileSync(playbook, HEAD + task.replace(/^/gm, '    ') + '\n');
  writeFileSync(
    variables,
    JSON.stringify({
      coppice_token: adminToken(),
      coppice_ca: join(HOME, 'tls/root.crt'),
      ansible_python_interpreter: '{{ ansible_playbook_python }}',
    }),
  );
  try {
    await promisify(execFile)(
      required('ANSIBLE_PLAYBOOK'),
      ['--inventory', 'localhost,', '--extra-vars', `@${variables}`, playbook],
      { env: { ...process.env, ANSIBLE_HOME: folder, LC_ALL: 'C.UTF-8' } },
    );
  } catch (e) {
    throw new Error(`${task}\n${(e as { stdout?: string }).stdout ?? String(e)}`);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function give(page: Page, button: string): Promise<Locator> {
  await page.getByRole('button', { name: button, exact: true }).first().click();
  return page.getByRole('dialog');
}

test('five forms, sent by Ansible instead of the browser', async ({ page, rest }) => {
  test.setTimeout(180_000);
  await rest.account('cora', 'storage-admin');
  await rest.container();
  await logIn(page, 'cora');
  await open(page, 'Volumes');

  const name = `disk of {{ 7 * 7 }} 'quotes' "and" ü`;
  const create = await give(page, 'Create a volume');
  await create.getByLabel('Name').fill(name);
  await create.getByLabel('Size').fill('1 MiB');
  const creation = await taskOf(create);
  await create.getByRole('button', { name: 'Cancel' }).click();
  await play(creation);
  const { items } = await rest.call('GET', `/volumes?name=${encodeURIComponent(name)}`);
  expect(items).toHaveLength(1);
  const id = items[0].id as string;
  await expect(page.getByTitle(name, { exact: true })).toBeVisible();

  await page.goto(`/ui/volumes/${id}`);
  const change = await give(page, 'Change');
  await change.getByLabel('Name').fill('disk by Ansible');
  const changing = await taskOf(change);
  await change.getByRole('button', { name: 'Cancel' }).click();
  await play(changing);
  await expect(page.getByRole('heading', { level: 1, name: 'disk by Ansible' })).toBeVisible();
  await expect(play(changing), 'the tag of what was changed meanwhile').rejects.toThrow('412');

  const take = await give(page, 'Take a snapshot');
  await take.getByLabel('Name').fill('by Ansible');
  const taking = await taskOf(take);
  await take.getByRole('button', { name: 'Cancel' }).click();
  await play(taking);
  await page.getByRole('checkbox', { name: 'Select by Ansible' }).check();

  const snapshots = page.getByRole('region', { name: 'Snapshots' });
  await snapshots.getByRole('button', { name: 'Revert to it' }).click();
  const reverting = await taskOf(page.getByRole('dialog'));
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
  await play(reverting);

  await page.locator('.c-head').getByRole('button', { name: 'Delete' }).click();
  const deletion = await taskOf(page.getByRole('dialog'));
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
  await play(deletion);
  const bin = await rest.call('GET', '/bin?limit=1000');
  expect(bin.items.map((item: { id: string }) => item.id)).toContain(id);
});
