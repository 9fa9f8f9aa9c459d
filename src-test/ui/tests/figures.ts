import type { Page } from '@playwright/test';
import { expect, type Rest } from './kit';

/** Compares every figure on a page with the one of the API that it says it is, and answers how many there are. */
export async function compareFigures(page: Page, rest: Rest): Promise<number> {
  await expect(page.locator('[data-figure]').first()).toBeVisible();
  const shown = await page
    .locator('[data-figure]')
    .evaluateAll((all) =>
      all.map((one) => ({ figure: one.getAttribute('data-figure')!, raw: Number(one.getAttribute('data-raw')) })),
    );
  for (const { figure, raw } of shown) {
    const [path, pointer] = figure.split('#') as [string, string];
    const answer = await rest.call('GET', path);
    const value = pointer
      .split('/')
      .slice(1)
      .reduce((at: any, name) => at[name], answer);
    expect(raw, figure).toBe(value);
  }
  return shown.length;
}
