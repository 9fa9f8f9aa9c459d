import { compareFigures } from './figures';
import { expect, logIn, open, type Page, PAGES, picture, type Rest, test, violations } from './kit';

const SIZES = { wide: { width: 1280, height: 800 }, narrow: { width: 390, height: 844 } };

async function furnish(rest: Rest): Promise<void> {
  await rest.account('dora', 'admin');
  const { items } = await rest.call('GET', '/volumes?name=shown-0');
  if (items.length === 0) {
    for (let i = 0; i < 12; i++) {
      await rest.volume(`shown-${i}`, (i + 1) << 20);
    }
    await rest.call('DELETE', `/volumes/${await rest.volume('shown in the bin')}`);
  }
}

/** Holds what is shown against the rules, and keeps a picture of it. */
async function judge(page: Page, name: string, file: string): Promise<void> {
  await expect(page.locator('.pf-v6-c-spinner, .pf-v6-c-skeleton')).toHaveCount(0);
  await picture(page, file);
  expect(await violations(page), name).toEqual([]);
  const wider = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  expect(wider, `pixels by which ${name} is wider than the window`).toBeLessThanOrEqual(0);
  const thin = await page.locator('.c-facts th').evaluateAll((all) =>
    all.filter((one) => one.clientWidth < 32).map((one) => one.textContent),
  );
  expect(thin, `names of facts of ${name} that are broken letter by letter`).toEqual([]);
  const cut = await page.locator('.c-facts td').evaluateAll((all) =>
    all.filter((one) => one.getBoundingClientRect().right > innerWidth).map((one) => one.textContent),
  );
  expect(cut, `facts of ${name} that are cut off`).toEqual([]);
}

for (const [size, viewport] of Object.entries(SIZES)) {
  for (const theme of ['light', 'dark'] as const) {
    test(`every page is accessible: ${size}, ${theme}`, async ({ page, rest }) => {
      test.setTimeout(300_000); // some 40 pages and tabs, each looked at whole
      await furnish(rest);
      await page.setViewportSize(viewport);
      await page.emulateMedia({ colorScheme: theme });
      await page.goto('/ui/');
      expect(await violations(page), 'login').toEqual([]);
      await picture(page, `login-${size}-${theme}`);
      await logIn(page, 'dora');
      for (const name of PAGES) {
        await open(page, name);
        const file = `${name.toLowerCase().replaceAll(' ', '-')}-${size}-${theme}`;
        await judge(page, name, file);
        const tabs = page.getByRole('tablist').first().getByRole('tab');
        for (let i = 1; i < (await tabs.count()); i++) {
          await tabs.nth(i).click();
          await judge(page, `${name}, ${await tabs.nth(i).innerText()}`, `${file}-${i}`);
        }
      }
    });
  }
}

test('every figure is the one of the API', async ({ page, rest }) => {
  await furnish(rest);
  await logIn(page, 'dora');
  expect(await compareFigures(page, rest)).toBeGreaterThan(3);
});

test('the page speaks German', async ({ page, rest }) => {
  await furnish(rest);
  await logIn(page, 'dora');
  await page.getByRole('button', { name: 'Preferences' }).click();
  await page.getByLabel('Language').selectOption('de');
  await expect(page.getByRole('heading', { level: 1, name: 'Übersicht' })).toBeVisible();
  await expect(page.locator('html')).toHaveAttribute('lang', 'de');
  await page.reload();
  await expect(page.getByRole('link', { name: 'Papierkorb' })).toBeVisible();
});

test('a path without a page says so', async ({ page, rest }) => {
  await furnish(rest);
  await logIn(page, 'dora', '/ui/nothing/here');
  await expect(page.getByRole('heading', { level: 1, name: 'Nothing is here' })).toBeVisible();
  await page.getByRole('link', { name: 'To the overview' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Overview' })).toBeVisible();
});
