import { readFile } from 'node:fs/promises';
import type { Locator, Page } from '@playwright/test';
import { compareFigures } from './figures';
import { expect, logIn, open, PASSWORD, picture, test, violations } from './kit';

const NEW_PASSWORD = 'a horse that is battery powered';

test.beforeEach(async ({ rest }) => {
  await rest.account('anna', 'admin');
});

function dialog(page: Page): Locator {
  return page.getByRole('dialog');
}

/** Presses a button of the table, then the one of the same name in the dialog. */
async function confirm(page: Page, button: string, inDialog = button): Promise<void> {
  await page.getByRole('button', { name: button, exact: true }).click();
  await dialog(page).getByRole('button', { name: inDialog, exact: true }).click();
}

async function choose(page: Page, name: string): Promise<void> {
  await page.getByRole('checkbox', { name: `Select ${name}`, exact: true }).check();
}

test.describe('what happened', () => {
  test('has what one call did in one row, and all of it in a sheet', async ({ page, rest }) => {
    const id = await rest.volume('watched disk');
    await logIn(page, 'anna');
    await open(page, 'What happened');
    await page.getByRole('textbox', { name: 'Search' }).fill('watched disk');
    const grid = page.getByRole('grid', { name: 'What happened' });
    await grid.getByRole('link', { name: /watched disk/ }).first().click();

    const sheet = page.getByRole('dialog', { name: 'Event' });
    await expect(sheet.getByRole('heading', { name: 'Of the same call' })).toBeVisible();
    await expect(sheet.getByText('POST /volumes', { exact: true })).toBeVisible();
    await expect(sheet.getByRole('link', { name: id }).first()).toHaveAttribute('href', `/ui/volumes/${id}`);
    await picture(page, 'what-happened');
    const address = page.url();
    await sheet.getByRole('button', { name: 'Close' }).last().click();
    await expect(sheet).toBeHidden();

    await page.goto(address);
    await expect(page.getByRole('dialog', { name: 'Event' })).toBeVisible();
  });

  test('is filtered by the address', async ({ page, rest }) => {
    await rest.volume('filtered disk');
    await logIn(page, 'anna', '/ui/events?kind=audit');
    const grid = page.getByRole('grid', { name: 'What happened' });
    await expect(grid.getByRole('link', { name: /POST \/volumes/ }).first()).toBeVisible();
    await page.getByRole('combobox', { name: 'Kind' }).selectOption('event');
    await expect(grid.getByRole('link', { name: /filtered disk/ }).first()).toBeVisible();
    expect(new URL(page.url()).search).toBe('?kind=event');

    const by = page.getByRole('textbox', { name: 'By', exact: true });
    await by.fill('nobody at all');
    await by.press('Enter');
    await expect(page.getByRole('status').getByText('0 rows')).toBeVisible();
    expect(new URL(page.url()).searchParams.get('actor')).toBe('nobody at all');
    await page.getByRole('button', { name: 'All filters off' }).click();
    await expect(grid).toBeVisible();
    expect(new URL(page.url()).search).toBe('');

    await page.getByLabel('Until').fill('2001-01-01T00:00');
    await expect(page.getByRole('status').getByText('0 rows')).toBeVisible();
    expect(new URL(page.url()).searchParams.get('until')).toBe('2001-01-01T00:00:00.000Z');
  });

  test('comes by itself', async ({ page, rest }) => {
    await logIn(page, 'anna', '/ui/events?q=sudden');
    await rest.volume('sudden disk');
    await expect(page.getByRole('link', { name: /sudden disk/ }).first()).toBeVisible();
  });

  test('verifies the audit trail', async ({ page }) => {
    await logIn(page, 'anna', '/ui/events');
    await page.getByRole('button', { name: 'Verify the trail' }).click();
    await expect(page.getByText('The audit trail is whole.')).toBeVisible();
  });

  test('says who may not see the audit trail that it is missing', async ({ page, rest }) => {
    await rest.account('otto', 'operator');
    await logIn(page, 'otto', '/ui/events');
    const why = 'This needs the role admin; you have operator.';
    await expect(page.getByText(`Calls (the audit trail) are not in the list. ${why}`)).toBeVisible();
    await page.getByRole('tab', { name: 'Where alerts go' }).click();
    await expect(page.getByRole('heading', { name: why })).toBeVisible();
  });

  test('lets somebody look after an alert', async ({ page }) => {
    const alert = {
      id: '3f2b8c1e-5d47-4a0e-9b61-7c2d90e4f815',
      severity: 'critical',
      state: 'active',
      about: { kind: 'container', id: 'c-1', name: '<b>gold</b>', container: null },
      message: 'ContainerSpace',
      cause: 'Container <b>gold</b> is full.',
      effect: 'Writes fail.',
      remedy: 'Delete something.',
      since: new Date(Date.now() + 3_600_000).toISOString(),
      resolved: null,
      acknowledgement: null,
      mutedUntil: null,
    };
    let sent: unknown;
    await page.route('**/api/v1/alerts?*', (route) =>
      route.fulfill({ json: { items: [alert], next: null } }),
    );
    await page.route('**/api/v1/alerts/*/acknowledge', (route) => {
      sent = route.request().postDataJSON();
      return route.fulfill({ json: { ...alert, state: 'acknowledged' } });
    });
    await logIn(page, 'anna', '/ui/events?kind=alert');
    await page.getByRole('link', { name: alert.cause }).click();
    const sheet = page.getByRole('dialog', { name: 'Alert' });
    await expect(sheet.getByText('Delete something.')).toBeVisible();
    await expect(sheet.getByRole('link', { name: '<b>gold</b>' })).toBeVisible();
    await sheet.getByRole('button', { name: 'I look after it' }).click();
    await dialog(page).getByRole('textbox', { name: 'Note' }).fill('on monday');
    await dialog(page).getByRole('button', { name: 'I look after it' }).click();
    await expect(page.getByText('All see now that you look after it.')).toBeVisible();
    expect(sent).toEqual({ note: 'on monday' });
    await expect(sheet).toBeVisible();
  });

  test('says where alerts go, and changes it', async ({ page, rest }) => {
    await logIn(page, 'anna', '/ui/events?tab=targets');
    await page.getByRole('button', { name: 'Add a target' }).click();
    const form = page.getByRole('dialog', { name: 'Add a target' });
    await form.getByRole('textbox', { name: 'Name', exact: true }).fill('hook');
    await form.getByRole('textbox', { name: 'URL' }).fill('http://hooks.example.com/');
    await form.getByLabel('Key of signatures').fill('0123456789abcdef');
    await expect(form.getByRole('button', { name: 'Add a target' })).toBeDisabled();
    await form.getByRole('textbox', { name: 'URL' }).fill('https://hooks.example.com/x');
    await form.getByRole('button', { name: 'The same as a command' }).click();
    await form.getByRole('tab', { name: 'curl' }).click();
    await expect(form.locator('[data-command=curl]')).not.toContainText('0123456789abcdef');
    await form.getByRole('button', { name: 'Add a target' }).click();
    await expect(page.getByText('hook was added.')).toBeVisible();
    const made = (await rest.call('GET', '/alert-targets?name=hook')).items[0];
    expect(made).toMatchObject({ kind: 'webhook', server: 'hooks.example.com:443', secret: true });

    await choose(page, 'hook');
    await page.getByRole('button', { name: 'Change', exact: true }).click();
    const change = page.getByRole('dialog', { name: 'Change hook' });
    await change.getByRole('combobox', { name: 'From' }).selectOption('critical');
    await rest.call('PATCH', `/alert-targets/${made.id}`, { enabled: false });
    await change.getByRole('button', { name: 'Save' }).click();
    await expect(change.getByText('Somebody else has changed it meanwhile.')).toBeVisible();
    await expect(change.getByRole('combobox', { name: 'From' })).toHaveValue('critical');
    await change.getByRole('button', { name: 'Save' }).click();
    await expect(page.getByText('hook was changed.')).toBeVisible();
    expect(await rest.call('GET', `/alert-targets/${made.id}`)).toMatchObject({
      enabled: false,
      severity: 'critical',
    });
    await confirm(page, 'Delete');
    await expect(page.getByText('hook was deleted.')).toBeVisible();
  });
});

test.describe('vCenters', () => {
  test('are told what to enter', async ({ page, rest }) => {
    await logIn(page, 'anna', '/ui/vcenters');
    const { urls } = await rest.call('GET', '/system');
    await expect(page.locator('[data-lines=URL]')).toHaveText(
      `${new URL(urls.vasa).origin}/vasa/version.xml`,
    );
    await page.getByRole('tab', { name: 'Refused clients' }).click();
    await expect(page.getByText('Trusted now:')).toBeVisible();
    await page.getByRole('tab', { name: 'Bindings' }).click();
    await expect(page.getByRole('button', { name: 'Read again' })).toBeVisible();
  });

  test('have protocol endpoints that come and go', async ({ page, rest }) => {
    await logIn(page, 'anna', '/ui/vcenters?tab=endpoints');
    await confirm(page, 'Add an endpoint');
    await expect(page.getByText('The endpoint was added.')).toBeVisible();
    const { items } = await rest.call('GET', '/protocol-endpoints?sort=-lun');
    const lun = items[0].lun as number;

    await choose(page, `LUN ${lun}`);
    const remove = page.getByRole('button', { name: 'Delete', exact: true });
    await expect(remove).toHaveAttribute('aria-disabled', 'true');
    await remove.focus();
    await expect(page.getByRole('tooltip')).toHaveText('It is in service: retire it first.');
    await confirm(page, 'Retire');
    await expect(page.getByText(`The endpoint ${lun} is retired.`)).toBeVisible();
    await confirm(page, 'Put back');
    await expect(page.getByText(`The endpoint ${lun} is in service again.`)).toBeVisible();
    await confirm(page, 'Retire');
    await expect(remove).not.toHaveAttribute('aria-disabled', 'true');
    await confirm(page, 'Delete');
    await expect(page.getByText(`The endpoint ${lun} was removed.`)).toBeVisible();
  });
});

test.describe('housekeeping', () => {
  test('searches for damage', async ({ page, rest }) => {
    await logIn(page, 'anna', '/ui/housekeeping');
    await expect(page.getByText('No damage is known.')).toBeVisible();
    await expect(page.getByText('The pool is kept on one device.')).toBeVisible();
    await page.getByRole('button', { name: 'Pause' }).click();
    await expect(page.getByText('It is paused.')).toBeVisible();
    expect((await rest.call('GET', '/scrub')).paused).toBe(true);
    expect(await compareFigures(page, rest)).toBe(2);
    await page.getByRole('button', { name: 'Go on' }).click();
    await expect(page.getByText('It is paused.')).toBeHidden();
    await page.getByRole('button', { name: /Begin a pass|Hurry/ }).click();
    await expect.poll(async () => (await rest.call('GET', '/scrub')).lastStarted).not.toBeNull();
    await picture(page, 'housekeeping');
  });

  test('shows what of the pool is verified as a map and as a table', async ({ page, rest }) => {
    const cells = Array.from({ length: 64 }, (_, i) => ({
      state: i === 40 ? 'damaged' : i < 20 ? 'verified' : i < 48 ? 'waiting' : 'free',
      findings: i === 40 ? 3 : 0,
    }));
    const { zones, zoneBytes } = await rest.call('GET', '/scrub/map?cells=1');
    expect(zones).toBeGreaterThan(0);
    await page.route('**/api/v1/scrub/map', (route) =>
      route.fulfill({ json: { zones: 64, zoneBytes, unplaced: 2, cells } }),
    );
    await logIn(page, 'anna', '/ui/housekeeping');
    const map = page.getByRole('img', {
      name: 'damaged: 1, not verified yet: 27, verified: 20, free: 16',
    });
    await expect(map.locator('[data-state]')).toHaveCount(64);
    await expect(map.locator('[data-state=damaged] title')).toHaveText('Findings: 3');
    await expect(page.getByRole('list', { name: 'What the cells mean' })).toContainText(
      'verified by the pass before: 0',
    );
    await expect(page.locator('[data-figure="/scrub/map#/unplaced"]')).toHaveText('2');
    await page.getByRole('button', { name: 'As a table' }).click();
    const row = page.getByRole('region', { name: 'Map of the pool' }).getByRole('row').nth(3);
    await expect(row.getByRole('rowheader')).toHaveText('41');
    await expect(row).toContainText('damaged');
    await expect(row.getByRole('cell').last()).toHaveText('3');
    expect(await violations(page)).toEqual([]);
  });

  test('empties a portal, and takes it back', async ({ page, rest }) => {
    await logIn(page, 'anna', '/ui/housekeeping?tab=portals');
    const portal = (await rest.call('GET', '/iscsi')).portals[0];
    expect(await compareFigures(page, rest)).toBeGreaterThan(1);
    await choose(page, portal.address);
    await confirm(page, 'Empty it');
    await expect(page.getByText(`${portal.address} is being emptied.`)).toBeVisible();
    expect((await rest.call('GET', '/iscsi')).portals[0].draining).toBe(true);
    await confirm(page, 'Put back');
    await expect(page.getByText(`${portal.address} is in service again.`)).toBeVisible();
    expect((await rest.call('GET', '/iscsi')).portals[0].draining).toBe(false);
  });

  test('says what to delete to win back space', async ({ page, rest }) => {
    await rest.volume('big disk');
    await logIn(page, 'anna', '/ui/housekeeping?tab=space');
    await page.getByRole('textbox', { name: 'I need' }).fill('much');
    await expect(page.getByRole('button', { name: 'Find out' })).toBeDisabled();
    await page.getByRole('textbox', { name: 'I need' }).fill('50 GB');
    await page.getByRole('checkbox', { name: 'Volumes may go, too' }).check();
    await page.getByRole('button', { name: 'Find out' }).click();
    expect(await compareFigures(page, rest)).toBe(2);
    await expect(page.getByText('That is not as much as you need.')).toBeVisible();
    expect(new URL(page.url()).search).toBe('?tab=space&need=50+GB&volumes=true');
    await page.getByRole('button', { name: 'The same as a command' }).click();
    await expect(page.locator('[data-command=coppice]')).toHaveText(
      './coppice space reclaim 50000003072 --volumes',
    );
  });

  test('lowers the longest lock', async ({ page, rest }) => {
    await logIn(page, 'anna', '/ui/housekeeping?tab=locks');
    await expect(page.getByText('30 days')).toBeVisible();
    expect(await compareFigures(page, rest)).toBe(1);
    await page.getByRole('button', { name: 'Lower the longest lock' }).click();
    await dialog(page).getByRole('textbox', { name: 'Longest lock' }).fill('29');
    await dialog(page).getByRole('button', { name: 'Lower the longest lock' }).click();
    await expect(page.getByText('The longest lock is lower now.')).toBeVisible();
    await expect(page.getByText('29 days')).toBeVisible();
    expect((await rest.call('GET', '/locks')).maxLock).toMatch(/^(P29D|PT696H)$/);
  });

  test('has the commands of backup and support', async ({ page }) => {
    await logIn(page, 'anna', '/ui/housekeeping?tab=backup');
    await expect(page.locator('[data-lines=Backup]')).toHaveText('./coppice backup FILE');
    expect(await violations(page)).toEqual([]);
  });

  test('saves a support bundle', async ({ page, rest }) => {
    await logIn(page, 'anna', '/ui/housekeeping?tab=backup');
    const saving = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Make and save one' }).click();
    const saved = await saving;
    expect(saved.suggestedFilename()).toMatch(/^coppice-support-\d{8}T\d{6}Z\.zip$/);
    const bytes = await readFile(await saved.path());
    expect(bytes.subarray(0, 2).toString()).toBe('PK');
    expect(bytes.includes('index.txt')).toBe(true);
    await expect(page.getByText('The support bundle is saved.')).toBeVisible();
    const { items } = await rest.call('GET', '/audit?limit=20');
    expect(items.map(({ action }: { action: string }) => action)).toContain('GET /support-bundle');
  });

  test('says why there is no support bundle', async ({ page }) => {
    await page.route('**/api/v1/support-bundle', (route) =>
      route.fulfill({
        status: 409,
        contentType: 'application/problem+json',
        json: { status: 409, code: 'bundle-under-way', detail: 'Another one is under way.' },
      }),
    );
    await logIn(page, 'anna', '/ui/housekeeping?tab=backup');
    await page.getByRole('button', { name: 'Make and save one' }).click();
    await expect(page.getByText('Another one is under way.')).toBeVisible();
  });
});

test.describe('access', () => {
  test('makes an account, changes, locks and deletes it', async ({ page, rest }) => {
    await logIn(page, 'anna', '/ui/access?tab=accounts');
    await page.getByRole('button', { name: 'Make an account' }).click();
    const form = page.getByRole('dialog', { name: 'Make an account' });
    await form.getByRole('textbox', { name: 'Name', exact: true }).fill('dora-2');
    await form.getByLabel('Password').fill('short');
    await expect(form.getByRole('button', { name: 'Make an account' })).toBeDisabled();
    await form.getByLabel('Password').fill(PASSWORD);
    await form.getByRole('button', { name: 'Make an account' }).click();
    await expect(page.getByText('dora-2 can log in now.')).toBeVisible();

    await choose(page, 'dora-2');
    const made = (await rest.call('GET', '/accounts?name=dora-2')).items[0];
    await page.getByRole('button', { name: 'Change', exact: true }).click();
    const change = page.getByRole('dialog', { name: 'Change dora-2' });
    await change.getByRole('combobox', { name: 'Role' }).selectOption('storage-admin');
    await rest.call('PATCH', `/accounts/${made.id}`, { role: 'vm-admin' });
    await change.getByRole('button', { name: 'Save' }).click();
    await expect(change.getByText('Somebody else has changed it meanwhile.')).toBeVisible();
    await expect(change.getByRole('cell', { name: 'vm-admin' })).toBeVisible();
    await expect(change.getByRole('combobox', { name: 'Role' })).toHaveValue('storage-admin');
    await picture(page, 'changed-meanwhile');
    await change.getByRole('button', { name: 'Save' }).click();
    await expect(page.getByText('dora-2 was changed.')).toBeVisible();
    expect((await rest.call('GET', `/accounts/${made.id}`)).role).toBe('storage-admin');

    await page.getByRole('button', { name: 'Lock', exact: true }).click();
    await expect(page.getByText('dora-2 cannot log in any more')).toBeVisible();
    expect((await rest.call('GET', `/accounts/${made.id}`)).enabled).toBe(false);
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect(page.getByText('dora-2 can log in again.')).toBeVisible();
    expect((await rest.call('GET', `/accounts/${made.id}`)).enabled).toBe(true);

    await page.getByRole('button', { name: 'Set the password' }).click();
    await dialog(page).getByLabel('Password').fill(NEW_PASSWORD);
    await dialog(page).getByRole('button', { name: 'Set the password' }).click();
    await expect(page.getByText('dora-2 has another password.')).toBeVisible();
    await confirm(page, 'Delete');
    await expect(page.getByText('dora-2 was deleted.')).toBeVisible();
    await expect(page.getByRole('gridcell', { name: 'dora-2', exact: true })).toBeHidden();
  });

  test('binds a volume-admin to containers', async ({ page, rest }) => {
    const container = await rest.container();
    await logIn(page, 'anna', '/ui/access?tab=accounts');
    await page.getByRole('button', { name: 'Make an account' }).click();
    const form = page.getByRole('dialog', { name: 'Make an account' });
    await form.getByRole('textbox', { name: 'Name', exact: true }).fill('vera');
    await form.getByLabel('Password').fill(PASSWORD);
    await form.getByRole('combobox', { name: 'Role' }).selectOption('volume-admin');
    await expect(form.getByText('A volume-admin needs a container.')).toBeVisible();
    await form.getByRole('checkbox', { name: 'shelf', exact: true }).check();
    await form.getByRole('button', { name: 'Make an account' }).click();
    await expect(page.getByText('vera can log in now.')).toBeVisible();
    const made = (await rest.call('GET', '/accounts?name=vera')).items[0];
    expect(made).toMatchObject({ role: 'volume-admin', containers: [container] });
    await rest.call('DELETE', `/accounts/${made.id}`);
  });

  test('ends a session', async ({ page, rest, browser }) => {
    await rest.account('otto', 'operator');
    const other = await browser.newContext({ ignoreHTTPSErrors: true });
    await logIn(await other.newPage(), 'otto');
    await logIn(page, 'anna', '/ui/access?tab=sessions&q=otto');
    await page.getByRole('checkbox', { name: 'Select otto', exact: true }).first().check();
    const { items: before } = await rest.call('GET', '/sessions?name=otto');
    await confirm(page, 'End the session');
    await expect(page.getByText('The session of otto has ended.')).toBeVisible();
    const { items: after } = await rest.call('GET', '/sessions?name=otto');
    expect(after).toHaveLength(before.length - 1);
    await other.close();
  });

  test('shows the text of a token once', async ({ page, rest }) => {
    await logIn(page, 'anna', '/ui/access?tab=tokens');
    await page.getByRole('button', { name: 'Make a token' }).click();
    const form = page.getByRole('dialog', { name: 'Make a token' });
    await form.getByRole('textbox', { name: 'Name', exact: true }).fill('nightly');
    await form.getByRole('textbox', { name: 'Days that it lasts' }).fill('0');
    await expect(form.getByText('Expected 1 to 3650 days.')).toBeVisible();
    await form.getByRole('textbox', { name: 'Days that it lasts' }).fill('7');
    await form.getByRole('button', { name: 'Make a token' }).click();
    const issued = page.getByRole('dialog', { name: 'The text of nightly' });
    const first = await issued.locator('[data-lines=Token]').innerText();
    expect(first).toMatch(/^cop_/);
    await issued.getByRole('button', { name: 'Close' }).last().click();
    await expect(page.getByText(first)).toBeHidden();

    await choose(page, 'nightly');
    await confirm(page, 'Give it another text');
    const second = await issued.locator('[data-lines=Token]').innerText();
    expect(second).not.toBe(first);
    await issued.getByRole('button', { name: 'Close' }).last().click();
    const made = (await rest.call('GET', '/tokens?name=nightly')).items[0];
    expect(made.formerUntil).not.toBeNull();
    await confirm(page, 'Delete');
    await expect(page.getByText('nightly was deleted.')).toBeVisible();
  });

  test('takes two accounts for some changes', async ({ page }) => {
    await logIn(page, 'anna', '/ui/access?tab=approvals');
    await page.getByRole('button', { name: 'Ask for a change' }).click();
    await dialog(page).getByRole('textbox', { name: 'Longest lock' }).fill('60');
    await dialog(page).getByRole('button', { name: 'Ask for a change' }).click();
    await expect(page.getByText('Another account can approve it now.')).toBeVisible();
    await choose(page, 'Raise the longest lock: 60 days');
    const approve = page.getByRole('button', { name: 'Approve', exact: true });
    await expect(approve).toHaveAttribute('aria-disabled', 'true');
    await approve.focus();
    await expect(page.getByRole('tooltip')).toHaveText(
      'You asked for it: another account must approve it.',
    );
    await confirm(page, 'Refuse');
    await expect(page.getByText('The change was refused.')).toBeVisible();
  });

  test('sets the secret of an initiator, and removes it', async ({ page, rest }) => {
    const iqn = 'iqn.2026-11.example:secretive';
    const host = await rest.call('POST', '/hosts', { name: 'secretive', initiators: [iqn] });
    await logIn(page, 'anna', '/ui/access?tab=chap');
    await choose(page, iqn);
    await page.getByRole('button', { name: 'Set a secret' }).click();
    await dialog(page).getByLabel('Secret', { exact: false }).first().fill('a secret of hosts');
    await dialog(page).getByRole('button', { name: 'Set a secret' }).click();
    await expect(page.getByText(`${iqn} has a secret.`)).toBeVisible();
    await expect.poll(async () => (await rest.call('GET', `/hosts/${host.id}`)).chap).toEqual([iqn]);
    await confirm(page, 'Remove the secret');
    await expect(page.getByText(`${iqn} logs in without CHAP now.`)).toBeVisible();
    await rest.call('DELETE', `/hosts/${host.id}`);
  });

  test('says what roles may do', async ({ page, rest }) => {
    await rest.account('otto', 'operator');
    await logIn(page, 'otto', '/ui/access?tab=operations&q=%2Fscrub%2Fstart');
    const row = page.getByRole('row').filter({ hasText: 'POST /scrub/start' });
    await expect(row.getByRole('gridcell', { name: 'storage-admin' })).toBeVisible();
    await expect(row.getByRole('gridcell', { name: 'No', exact: true })).toBeVisible();
  });

  test('changes the own password', async ({ page, rest }) => {
    await rest.account('paula', 'operator');
    await logIn(page, 'paula', '/ui/access');
    await page.getByRole('button', { name: 'Change the password' }).click();
    await dialog(page).getByLabel('Password of now').fill(PASSWORD);
    await dialog(page).getByLabel(/^New password(?! again)/).fill(NEW_PASSWORD);
    await dialog(page).getByLabel('New password again').fill('another');
    await expect(dialog(page).getByText('The two are not the same.')).toBeVisible();
    await dialog(page).getByLabel('New password again').fill(NEW_PASSWORD);
    await dialog(page).getByRole('button', { name: 'Change the password' }).click();
    await expect(page.getByText('The password was changed.')).toBeVisible();
    const { items } = await rest.call('GET', '/accounts?name=paula');
    await rest.call('DELETE', `/accounts/${items[0].id}`);
  });
});
