import AxeBuilder from '@axe-core/playwright';
import { type APIRequestContext, expect, type Page, request, test as base } from '@playwright/test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export const HOME = required('COPPICE_HOME');
const WORK = process.env.UI_TEST_WORK ?? 'target';

export const PASSWORD = 'correct horse battery staple';

export function required(name: string): string {
  const value = process.env[name];
  if (value === undefined) {
    throw new Error(`expected ${name} in the environment: UiIT sets it`);
  }
  return value;
}

/** The token that lies in the provider's home. */
export function adminToken(): string {
  return readFileSync(join(HOME, 'admin.token'), 'utf8').trim();
}

/** The REST API beside the browser, as the command line uses it. */
export class Rest {
  private readonly requests: APIRequestContext;

  private constructor(requests: APIRequestContext) {
    this.requests = requests;
  }

  static async open(): Promise<Rest> {
    return new Rest(
      await request.newContext({
        baseURL: required('COPPICE_URL'),
        ignoreHTTPSErrors: true,
        extraHTTPHeaders: { Authorization: `Bearer ${adminToken()}` },
      }),
    );
  }

  async call<T = any>(method: string, path: string, body?: unknown): Promise<T> {
    const response = await this.requests.fetch(`/api/v1${path}`, {
      method,
      ...(body === undefined ? {} : { data: body }),
    });
    const text = await response.text();
    if (!response.ok()) {
      throw new Error(`${method} ${path}: ${response.status()} ${text}`);
    }
    return (text === '' ? undefined : JSON.parse(text)) as T;
  }

  /** An account of a role; one that is there already is left as it is. */
  async account(name: string, role: string): Promise<void> {
    await this.call('POST', '/accounts', { name, password: PASSWORD, role }).catch(
      (reason: Error) => {
        if (!reason.message.includes('409')) {
          throw reason;
        }
      },
    );
  }

  /** The id of the tests' container. */
  async container(): Promise<string> {
    const { items } = await this.call('GET', '/containers?limit=1000');
    const known = items.find((one: { name: string }) => one.name === 'shelf');
    return (
      known ?? (await this.call('POST', '/containers', { name: 'shelf', quota: 1 << 30 }))
    ).id as string;
  }

  async volume(name: string, size = 1 << 20): Promise<string> {
    const container = await this.container();
    return (await this.call('POST', '/volumes', { name, size, container })).id as string;
  }

  async close(): Promise<void> {
    await this.requests.dispose();
  }
}

/** A test with the API beside the browser. Whatever the page writes to the console fails it. */
export const test = base.extend<{ rest: Rest; quiet: void }>({
  rest: async ({}, use) => {
    const rest = await Rest.open();
    await use(rest);
    await rest.close();
  },
  quiet: [
    async ({ page }, use) => {
      const said: string[] = [];
      page.on('pageerror', (error) => said.push(String(error)));
      page.on('console', (message) => {
        // Chromium itself writes a line for each answer of 400 and above; the page shows those.
        if (message.type() === 'error' && !message.text().startsWith('Failed to load resource')) {
          said.push(message.text());
        }
      });
      await use();
      expect(said, 'what the page wrote to the console').toEqual([]);
    },
    { auto: true },
  ],
});

/** Logs in by the form. */
export async function logIn(page: Page, name: string, at = '/ui/'): Promise<void> {
  await page.goto(at);
  await page.getByLabel('Name').fill(name);
  await page.getByLabel('Password').fill(PASSWORD);
  await page.getByRole('button', { name: 'Log in', exact: true }).click();
  await expect(page.locator('[data-live=live]')).toBeVisible();
}

/** The pages of the navigation. */
export const PAGES = [
  'Overview',
  'Performance',
  'Virtual machines',
  'Volumes',
  'Containers',
  'Policies',
  'Protection',
  'Replication',
  'Recycle bin',
  'Hosts and exports',
  'vCenters',
  'What happened',
  'Housekeeping',
  'Access',
  'Settings',
];

/** Opens a page by the navigation. */
export async function open(page: Page, name: string): Promise<void> {
  const toggle = page.getByRole('button', { name: 'Show or hide the navigation' });
  if ((await toggle.getAttribute('aria-expanded')) === 'false') {
    await toggle.click();
  }
  const pages = page.getByRole('navigation', { name: 'Main navigation' });
  await pages.getByRole('link', { name, exact: true }).click();
  await expect(page.getByRole('heading', { level: 1, name })).toBeVisible();
}

/** What the rules of WCAG 2.2 AA find on the page. */
export async function violations(page: Page): Promise<string[]> {
  const found = await new AxeBuilder({ page })
    .withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'])
    .analyze();
  return found.violations.flatMap((violation) =>
    violation.nodes.map((node) => `${violation.id}: ${node.target.join(' ')}: ${node.failureSummary}`),
  );
}

/** Keeps a picture of the page, for people. */
export async function picture(page: Page, name: string): Promise<void> {
  await page.screenshot({ path: `${WORK}/pictures/${name}.png`, animations: 'disabled' });
}

export { expect, type Page };
