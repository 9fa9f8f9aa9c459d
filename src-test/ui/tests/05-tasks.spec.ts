import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { request } from 'node:https';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Hand } from './hand';
import { expect, logIn, type Page, picture, test } from './kit';

const run = promisify(execFile);

// The test of the browser keeps this machine of vCenter at work: WorkingMachine.
const MACHINE = 'web server';

// Six tasks of somebody who sees the UI for the first time. Each begins on the overview, right after the login.
test.beforeEach(async ({ page, rest }) => {
  await rest.account('anna', 'admin');
  await rest.container();
  await logIn(page, 'anna');
});

function navigation(page: Page, name: string) {
  return page.getByRole('link', { name, exact: true });
}

async function idOfMachine(rest: { call: (method: string, path: string) => Promise<any> }): Promise<string> {
  return (await rest.call('GET', `/vms?name=${encodeURIComponent(MACHINE)}`)).items[0].id;
}

test('make a host see a disk', async ({ page, rest }) => {
  const iqn = 'iqn.2026-11.example:task';
  const hand = new Hand('make a host see a disk');
  await hand.click(navigation(page, 'Hosts and exports'));
  await hand.click(page.getByRole('button', { name: 'Give a host a disk' }));
  const wizard = page.getByRole('dialog', { name: 'Give a host a disk' });
  const next = wizard.getByRole('button', { name: 'Next' });
  await hand.type(wizard.getByLabel('Name of the host'), 'app-1');
  await hand.type(wizard.getByLabel('iSCSI names of the host'), iqn);
  await hand.click(next);
  await hand.click(next); // no secret
  await hand.type(wizard.getByLabel('Name'), 'app data');
  await hand.type(wizard.getByLabel('Size'), '8 MiB');
  await hand.click(next);
  await hand.click(wizard.getByRole('button', { name: 'Do it' }));
  await expect(wizard.locator('[data-system=linux]')).toContainText('iscsiadm');
  const volume = (await rest.call('GET', '/volumes?name=app%20data')).items[0];
  const unit = await rest.call('GET', `/exports/${volume.id}`);
  await run('iscsi-inq', ['-i', iqn, `iscsi://${unit.portals[0]}/${unit.target}/${unit.lun}`]);
  await expect(wizard.locator('[data-wizard=seen]')).toBeVisible();
  hand.done();
});

test('find out why a virtual machine is slow', async ({ page, rest }) => {
  const id = await idOfMachine(rest);
  await rest.call('PUT', `/vms/${id}/limits`, { maxIops: 10, maxBandwidth: null });
  await expect
    .poll(async () => (await rest.call('GET', `/vms/${id}/diagnosis`)).cause, { timeout: 30_000 })
    .toBe('limit');
  const hand = new Hand('find out why a virtual machine is slow');
  await hand.click(navigation(page, 'Virtual machines'));
  await hand.click(page.getByRole('link', { name: MACHINE, exact: true }));
  await expect(page.locator('[data-cause=limit]')).toBeVisible();
  hand.done();
  await picture(page, 'task-slow');
  await rest.call('PUT', `/vms/${id}/limits`, { maxIops: null, maxBandwidth: null });
});

// Before there is a timeline: its points hold what snapshots do.
test('win back space', async ({ page, rest }) => {
  const id = await idOfMachine(rest);
  for (const older of (await rest.call('GET', `/vms/${id}/snapshots`)).items) {
    await rest.call('DELETE', `/snapshots/${older.id}?purge=true`); // they hold the same blocks
  }
  await rest.call('POST', `/vms/${id}/snapshots?wait=10s`, { name: 'forgotten' });
  await expect
    .poll(async () => (await rest.call('GET', '/space/reclaimable?bytes=102400')).enough, { timeout: 30_000 })
    .toBe(true);
  const hand = new Hand('win back space');
  await hand.click(navigation(page, 'Housekeeping'));
  await hand.click(page.getByRole('tab', { name: 'Win back space' }));
  await hand.type(page.getByRole('textbox', { name: 'I need' }), '100 KiB');
  await hand.click(page.getByRole('button', { name: 'Find out' }));
  const last = page.getByRole('grid', { name: 'What would have to go' }).getByRole('link').last();
  const name = (await last.textContent())!;
  await hand.click(last);
  const snapshots = page.getByRole('region', { name: 'Snapshots' });
  await hand.click(snapshots.getByRole('checkbox', { name: `Select ${name}`, exact: true }).first());
  await hand.click(snapshots.getByRole('button', { name: 'Delete' }));
  await expect(page.getByRole('dialog').getByText(/^Freed if deleted: [1-9]/)).toBeVisible();
  await picture(page, 'task-space');
  await hand.click(page.getByRole('dialog').getByRole('button', { name: 'Delete' }));
  await expect(page.getByText(`${name} was deleted.`)).toBeVisible();
  hand.done();
});

test('get an older version of a file', async ({ page, rest }) => {
  const id = await idOfMachine(rest);
  const policy = await rest.call('POST', '/protection-policies', {
    name: 'any second of a day',
    rules: [],
    continuous: [{ every: 'PT1S', keepFor: 'P1D' }],
  });
  await rest.call('POST', '/protection-groups', {
    name: 'the web server',
    policy: policy.id,
    members: [{ vm: id }],
  });
  await rest.call('POST', '/hosts', { name: 'rescue', initiators: ['iqn.2026-11.example:rescue'] });
  await expect
    .poll(async () => (await rest.call('GET', `/vms/${id}/timeline`)).points, { timeout: 30_000 })
    .toBeGreaterThan(3);
  const hand = new Hand('get an older version of a file');
  await hand.click(navigation(page, 'Virtual machines'));
  await hand.click(page.getByRole('link', { name: MACHINE, exact: true }));
  const card = page.locator('.pf-v6-c-card').filter({ hasText: 'Back to any moment' });
  await hand.press(card.getByRole('slider'), 'Home');
  await hand.click(card.getByRole('button', { name: 'Give to a host from there' }));
  const given = page.getByRole('dialog');
  await hand.click(given.getByRole('checkbox', { name: 'rescue' }));
  await hand.click(given.getByRole('button', { name: 'Give to a host from there' }));
  await expect(given.locator('[data-system=linux]').first()).toContainText('iscsiadm');
  hand.done();
  await picture(page, 'task-older-file');
});

test('undo a deletion', async ({ page, rest }) => {
  const id = await rest.volume('precious');
  await rest.call('DELETE', `/volumes/${id}`);
  const hand = new Hand('undo a deletion by somebody else');
  await hand.click(navigation(page, 'Recycle bin'));
  await hand.click(page.getByRole('checkbox', { name: 'Select precious', exact: true }));
  await hand.click(page.getByRole('button', { name: 'Restore (1 selected)' }));
  await expect(page.getByText('precious is back.')).toBeVisible();
  hand.done();
  expect((await rest.call('GET', `/volumes/${id}`)).name).toBe('precious');
});

test('explain why a provider is offline', async ({ page, rest }) => {
  const before = (await rest.call('GET', '/refused-clients')).items.length;
  await refusedClient(new URL((await rest.call('GET', '/system')).urls.vasa));
  await expect
    .poll(async () => (await rest.call('GET', '/refused-clients')).items.length)
    .toBeGreaterThan(before);
  const hand = new Hand('explain why a provider is offline');
  await hand.click(navigation(page, 'vCenters'));
  await hand.click(page.getByRole('tab', { name: 'Refused clients' }));
  const newest = page.locator('[data-refused=newest]');
  await expect(newest).toContainText('CN=esx-of-nobody');
  await expect(newest).toContainText('register this provider there again');
  hand.done();
  await picture(page, 'task-offline');
});

/** A host whose certificate nobody here trusts asks the provider for a session. */
async function refusedClient(vasa: URL): Promise<void> {
  const folder = process.env.UI_TEST_WORK ?? 'target';
  const key = join(folder, 'stranger.key');
  const certificate = join(folder, 'stranger.crt');
  await run('openssl', [
    ...['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'],
    ...['-days', '30', '-subj', '/CN=esx-of-nobody', '-keyout', key, '-out', certificate],
  ]);
  const status = await new Promise<number | undefined>((resolve, reject) => {
    const asked = request(
      vasa,
      {
        method: 'POST',
        headers: { 'Content-Type': 'text/xml', SOAPAction: '"urn:setContext"' },
        key: readFileSync(key),
        cert: readFileSync(certificate),
        rejectUnauthorized: false, // the certificate is the provider's own
      },
      (answer) => answer.resume().on('end', () => resolve(answer.statusCode)),
    );
    asked.on('error', reject);
    asked.end(readFileSync('../../docs/wire/setContext.request.xml'));
  });
  expect(status).toBe(500);
}
