import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, logIn, open, picture, test } from './kit';

const run = promisify(execFile);
const SECRET = 'a secret of hosts';

/** A host that looks at a disk: INQUIRY by libiscsi. */
async function inquire(
  initiator: string,
  portal: string,
  target: string,
  lun: number,
  secret = '',
): Promise<void> {
  const chap = { LIBISCSI_CHAP_USERNAME: initiator, LIBISCSI_CHAP_PASSWORD: secret };
  await run('iscsi-inq', ['-i', initiator, `iscsi://${portal}/${target}/${lun}`], {
    env: { ...process.env, ...(secret === '' ? {} : chap) },
  });
}

test('the wizard leads from nothing to a disk that the host has found', async ({ page, rest }) => {
  const iqn = 'iqn.2026-11.example:wizard';
  await rest.account('anna', 'admin');
  await rest.container();
  await logIn(page, 'anna');
  await open(page, 'Hosts and exports');
  await page.getByRole('button', { name: 'Give a host a disk' }).click();
  const wizard = page.getByRole('dialog', { name: 'Give a host a disk' });
  const next = wizard.getByRole('button', { name: 'Next' });

  await wizard.getByLabel('Name of the host').fill('db-1');
  await wizard.getByLabel('iSCSI names of the host').fill('db-1');
  await expect(wizard.getByText('Expected names such as')).toBeVisible();
  await expect(next).toBeDisabled();
  await wizard.getByLabel('iSCSI names of the host').fill(iqn);
  await next.click();

  await wizard.getByLabel('Ask for a secret').check();
  await wizard.getByLabel('Secret of the host').fill(SECRET);
  await next.click();

  await wizard.getByLabel('Name').fill('wizard disk');
  await wizard.getByLabel('Size').fill('8 MiB');
  await picture(page, 'wizard-disk');
  await next.click();
  await wizard.getByRole('button', { name: 'The same as a command' }).click();
  await expect(wizard.locator('[data-command=coppice]')).toHaveText(
    `./coppice host create db-1 --initiator ${iqn}`,
  );
  await wizard.getByRole('button', { name: 'Do it' }).click();
  await expect(wizard.locator('[data-wizard=waiting]')).toBeVisible();
  await expect(wizard.locator('[data-system=linux]')).toContainText('iscsiadm');

  const volume = (await rest.call('GET', '/volumes?name=wizard%20disk')).items[0];
  const unit = await rest.call('GET', `/exports/${volume.id}`);
  const portal = unit.portals[0];
  await expect(
    inquire(iqn, portal, unit.target, unit.lun, 'quite another secret'),
  ).rejects.toThrow();
  const refusal = wizard.locator('.pf-v6-c-alert').filter({ hasText: `${iqn}: ` });
  await expect(refusal).toContainText(/secret/i);
  await picture(page, 'wizard-refused');

  await inquire(iqn, portal, unit.target, unit.lun, SECRET);
  await expect(wizard.locator('[data-wizard=seen]')).toBeVisible();
  await picture(page, 'wizard-seen');
  await wizard.getByRole('button', { name: 'Close' }).last().click();
  await expect(page.getByRole('gridcell', { name: 'db-1', exact: true })).toBeVisible();
});

test('exports show who has found them, and end', async ({ page, rest }) => {
  const iqn = 'iqn.2026-11.example:finder';
  await rest.account('cora', 'storage-admin');
  const vvol = await rest.volume('shared disk');
  const unit = await rest.call('POST', '/exports', { vvol, initiators: [iqn] });
  await logIn(page, 'cora', '/ui/hosts?tab=exports');
  await inquire(iqn, unit.portals[0], unit.target, unit.lun);

  await page.getByRole('checkbox', { name: 'Select shared disk' }).check();
  await page.getByRole('button', { name: 'Lines for hosts' }).click();
  await page.getByRole('tab', { name: 'Windows' }).click();
  await expect(page.locator('[data-system=windows]')).toContainText('Connect-IscsiTarget');
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).last().click();

  await page.getByRole('button', { name: 'End the export' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'End the export' }).click();
  await expect(page.getByText('shared disk is exported no more.')).toBeVisible();
  await expect(page.getByRole('gridcell', { name: 'shared disk', exact: true })).toBeHidden();
  expect((await rest.call('GET', `/volumes/${vvol}`)).exported).toBe(false);
});

test('a login that was refused is explained', async ({ page, rest }) => {
  const iqn = 'iqn.2026-11.example:nobody-knows';
  await rest.account('otto', 'operator');
  const unit = await rest.call('POST', '/exports', {
    vvol: await rest.volume('not for all'),
    initiators: ['iqn.2026-11.example:somebody'],
  });
  await expect(inquire(iqn, unit.portals[0], `${unit.target}x`, unit.lun)).rejects.toThrow();
  await logIn(page, 'otto', '/ui/hosts?tab=refused');

  await expect(page.getByRole('gridcell', { name: iqn })).toBeVisible();
});
