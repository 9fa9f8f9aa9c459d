import { expect, logIn, open, type Page, PAGES, type Rest, test } from './kit';

// What would run, be read as an expression, or turn the text around it.
const MARKS = [
  '<img src=x onerror="window.pwned=1">',
  '"><script>window.pwned=1</script>',
  "'-window.pwned=1-'",
  '{{constructor.constructor("window.pwned=1")()}}',
  '\u202eevil',
] as const;

/** One object of each kind, with a name that is an attack wherever it is no text. */
async function furnish(rest: Rest, mark: string, nth: number): Promise<string[]> {
  const container = (
    await rest.call('POST', '/containers', { name: `c ${mark}`, quota: 1 << 30 })
  ).id;
  const policy = (await rest.call('POST', '/policies', { name: `p ${mark}`, description: mark })).id;
  const volume = (
    await rest.call('POST', '/volumes', {
      name: `v ${mark}`,
      size: 1 << 20,
      container,
      policy,
      labels: { mark },
    })
  ).id;
  await rest.call('POST', `/vvols/${volume}/snapshots?wait=10s`, { name: `s ${mark}` });
  const protection = (
    await rest.call('POST', '/protection-policies', {
      name: `r ${mark}`,
      description: mark,
      rules: [],
      continuous: [{ every: 'PT10M', keepFor: 'PT1H' }],
    })
  ).id;
  await rest.call('POST', '/protection-groups', {
    name: `g ${mark}`,
    policy: protection,
    members: [{ volume }],
  });
  await rest.call('POST', '/hosts', {
    name: `h ${mark}`,
    initiators: [`iqn.2026-11.example:hostile-${nth}`],
  });
  await rest.call('POST', '/tokens', { name: `t ${mark}`, role: 'operator' });
  const gone = (
    await rest.call('POST', '/volumes', { name: `b ${mark}`, size: 1 << 20, container })
  ).id;
  await rest.call('DELETE', `/volumes/${gone}`);
  return [
    `/volumes/${volume}`,
    `/containers/${container}`,
    `/policies/${policy}`,
    `/protection/policies/${protection}`,
    '/protection?tab=groups',
    '/hosts?tab=exports',
    '/access?tab=tokens',
  ];
}

async function isUnharmed(page: Page, where: string): Promise<void> {
  await expect(page.locator('.pf-v6-c-spinner, .pf-v6-c-skeleton'), where).toHaveCount(0);
  expect(await page.evaluate(() => 'pwned' in window), where).toBe(false);
  expect(await page.locator('main img[src=x], main script').count(), where).toBe(0);
}

test('names that attack are texts on every page', async ({ page, rest }) => {
  test.setTimeout(300_000);
  await rest.account('dora', 'admin');
  const paths = [];
  for (const [nth, mark] of MARKS.entries()) {
    paths.push(...(await furnish(rest, mark, nth)));
  }
  await logIn(page, 'dora');
  for (const name of PAGES) {
    await open(page, name);
    await isUnharmed(page, name);
  }
  for (const path of new Set(paths)) {
    await page.goto(`/ui${path}`);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await isUnharmed(page, path);
  }
});

test('the title of an object is its name, letter by letter', async ({ page, rest }) => {
  await rest.account('dora', 'admin');
  const name = `title ${MARKS[0]}`;
  const id = await rest.volume(name);
  await logIn(page, 'dora', `/ui/volumes/${id}`);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(name);
  await page.getByRole('button', { name: 'Change', exact: true }).click();
  await expect(page.getByRole('dialog').getByLabel('Name')).toHaveValue(name);
  expect(await page.evaluate(() => 'pwned' in window)).toBe(false);
});
