import type { Page } from '@playwright/test';
import { expect, logIn, open, picture, type Rest, test, violations } from './kit';

const HOSTILE = '<img src=x onerror="document.title=1">';

/** A volume of a name, which may be there already. */
async function volume(rest: Rest, name: string): Promise<string> {
  const { items } = await rest.call('GET', `/volumes?name=${encodeURIComponent(name)}`);
  return items[0]?.id ?? (await rest.volume(name));
}

/** What is shown beside what, as the address says. */
function objects(page: Page): string | null {
  return new URL(page.url()).searchParams.get('objects');
}

/** Has a volume wait for another one, as far as its diagnosis goes: nothing reads or writes here. */
async function letWait(page: Page, sufferer: string, neighbour: { id: string; name: string }) {
  const part = { time: 20_000, percent: 50 };
  await page.route(`**/api/v1/volumes/${sufferer}/diagnosis*`, (route) =>
    route.fulfill({
      json: {
        cause: 'neighbour',
        sentence: `Commands wait behind those of ${neighbour.name}.`,
        window: 15_000,
        commands: 4200,
        bytes: 17_203_200,
        latency: 40_000,
        device: part,
        queue: part,
        limit: { time: 0, percent: 0 },
        network: null,
        neighbours: [
          {
            vvol: neighbour.id,
            name: neighbour.name,
            vm: null,
            commandsPercent: 91,
            bytesPercent: 97,
          },
        ],
        writtenBytes: 0,
        cleanerBytes: 0,
        scrubBytes: 0,
      },
    }),
  );
}

/** The shown charts, drawn. */
async function drawn(page: Page): Promise<void> {
  await expect(page.locator('.c-zoomed canvas').first()).toBeVisible();
}

test.beforeEach(async ({ rest }) => {
  await rest.account('cora', 'storage-admin');
});

test('objects are put side by side by their names, and the address keeps them', async ({ page, rest }) => {
  const left = await volume(rest, 'left disk');
  const right = await volume(rest, 'right disk');
  await logIn(page, 'cora');
  await open(page, 'Performance');
  await drawn(page);
  const field = page.getByRole('combobox', { name: 'Add an object' });

  await field.fill('left disk');
  await expect(page.getByRole('option', { name: 'left disk Volume' })).toHaveAttribute('aria-selected', 'true');
  await field.press('Enter');
  await expect.poll(() => objects(page)).toBe(`system/volume:${left}`);
  await field.fill('RIGHT');
  await page.getByRole('option', { name: 'right disk Volume' }).click();
  await page.getByRole('button', { name: 'Remove All of the array' }).click();
  await expect.poll(() => objects(page)).toBe(`volume:${left}/volume:${right}`);

  await page.reload();
  await drawn(page);
  await expect(page.locator('[data-charts="2"]')).toBeVisible();
  await expect(page.getByText('Volume: left disk')).toBeVisible();
  await expect(page.getByText('Volume: right disk')).toBeVisible();
  await picture(page, 'performance-side-by-side');
  expect(await violations(page)).toEqual([]);

  await field.fill('no such thing');
  await expect(page.getByText('No object matches.')).toBeVisible();
  await field.press('Escape');
  await expect(page.getByText('No object matches.')).toBeHidden();
});

test('one object has its latency in parts, and its figures as a table', async ({ page, rest }) => {
  const id = await volume(rest, 'left disk');
  await logIn(page, 'cora', `/ui/performance?objects=volume:${id}`);
  await drawn(page);
  await expect(page.getByRole('region', { name: 'Latency: Reads and writes' })).toBeVisible();
  await expect(page.getByRole('region', { name: 'Latency: Writes' })).toBeVisible();
  await expect(page.locator('[data-now=iops]')).toContainText('Reads');

  const commands = page.getByRole('region', { name: 'Commands/s', exact: true });
  await commands.getByRole('button', { name: 'As a table' }).click();
  await expect(commands.getByRole('columnheader', { name: 'Writes' })).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Why is left disk slow?' })).toBeVisible();
  await page.getByRole('link', { name: 'To its page' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'left disk' })).toBeVisible();
});

test('a drag over one chart zooms all of them, and the address keeps it', async ({ page }) => {
  await logIn(page, 'cora', '/ui/performance');
  await drawn(page);
  const box = (await page.locator('.c-zoomed').first().boundingBox())!;
  const y = box.y + box.height / 2;
  await page.mouse.move(box.x + box.width * 0.4, y);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width * 0.7, y, { steps: 5 });
  await expect(page.locator('.c-dragged')).toBeVisible();
  await page.mouse.up();

  await expect(page.locator('[data-zoom]')).toBeVisible();
  const [from, to] = new URL(page.url()).searchParams.get('zoom')!.split('/').map((at) => Date.parse(at));
  expect(to! - from!).toBeGreaterThan(3 * 60_000);
  expect(to! - from!).toBeLessThan(6 * 60_000);
  const zoomed = (await page.locator('[data-zoom]').textContent())!;
  for (const chart of await page.locator('.c-chart').all()) {
    expect(await chart.getAttribute('aria-label')).toContain(zoomed);
  }

  await page.reload();
  await expect(page.locator('[data-zoom]')).toHaveText(zoomed);
  await page.getByRole('button', { name: 'Zoom out' }).click();
  await expect(page.locator('[data-zoom]')).toBeHidden();
  await page.goBack();
  await expect(page.locator('[data-zoom]')).toHaveText(zoomed);
});

test('the time is a length, or from one moment to another', async ({ page }) => {
  const field = (minutesAgo: number) => new Date(Date.now() - minutesAgo * 60_000).toISOString().slice(0, 16);
  await logIn(page, 'cora', '/ui/performance');
  await page.getByRole('button', { name: '1 day' }).click();
  await expect.poll(() => new URL(page.url()).searchParams.get('window')).toBe('1d');

  await page.getByRole('button', { name: 'From – to' }).click();
  const [from, to] = [field(90), field(30)];
  await page.getByLabel('From', { exact: true }).fill(from);
  await page.getByLabel('To', { exact: true }).fill(field(95));
  await expect(page.getByText('Expected a begin in the past')).toBeVisible();
  await page.getByLabel('To', { exact: true }).fill(to);
  await page.getByRole('button', { name: 'Show', exact: true }).click();
  await expect
    .poll(() => new URL(page.url()).searchParams.get('window'))
    .toBe(`${from}:00Z/${to}:00Z`);
});

test('a neighbour is limited, watched beside the one that waits, and let go again', async ({ page, rest }) => {
  const sufferer = await volume(rest, 'quiet disk');
  const id = await volume(rest, 'loud disk');
  await letWait(page, sufferer, { id, name: 'loud disk' });
  await logIn(page, 'cora', `/ui/volumes/${sufferer}`);
  await page.getByRole('button', { name: 'Limit loud disk' }).click();

  const form = page.getByRole('dialog', { name: 'Limit loud disk' });
  await expect(form.getByText('Now: no limits')).toBeVisible();
  await form.getByLabel('I/Os a second, at most').fill('none');
  await expect(form.getByText('Expected a number of I/Os')).toBeVisible();
  await form.getByLabel('I/Os a second, at most').fill('500');
  await form.getByRole('button', { name: 'The same as a command' }).click();
  await expect(form.locator('[data-command=coppice]')).toContainText(
    `./coppice vvol set-limits ${id} --max-iops 500`,
  );
  await picture(page, 'limit-neighbour');
  await form.getByRole('button', { name: 'Limit loud disk' }).click();

  await expect(page.getByText('loud disk has new limits.')).toBeVisible();
  await expect.poll(() => objects(page)).toBe(`volume:${sufferer}/volume:${id}`);
  expect((await rest.call('GET', `/vvols/${id}/limits`)).maxIops).toBe(500);
  await expect(page.locator('[data-marks="1"]')).toContainText('were set to 500 I/Os');
  await drawn(page);
  await picture(page, 'performance-neighbour');

  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(page.getByText('loud disk has its former limits.')).toBeVisible();
  expect((await rest.call('GET', `/vvols/${id}/limits`)).maxIops).toBeNull();
  await expect(page.locator('[data-marks="2"]')).toBeVisible();
});

test('limits that somebody else has set meanwhile are shown, and what was typed stays', async ({ page, rest }) => {
  const sufferer = await volume(rest, 'quiet disk');
  const id = await rest.volume(`contested disk ${Date.now()}`);
  await letWait(page, sufferer, { id, name: 'contested' });
  await logIn(page, 'cora', `/ui/performance?objects=volume:${sufferer}`);
  await page.getByRole('button', { name: 'Limit contested' }).click();
  const form = page.getByRole('dialog', { name: 'Limit contested' });
  await form.getByLabel('I/Os a second, at most').fill('500');
  await expect(form.getByText('Now: no limits')).toBeVisible();
  await rest.call('PUT', `/vvols/${id}/limits`, { maxIops: 900, maxBandwidth: 1 << 20 });

  await form.getByRole('button', { name: 'Limit contested' }).click();
  await expect(form.getByText('Somebody changed the limits meanwhile.')).toContainText('900 I/Os a second');
  await expect(form.getByLabel('I/Os a second, at most')).toHaveValue('500');
  await form.getByRole('button', { name: 'Limit contested' }).click();
  await expect(page.getByText('contested has new limits.')).toBeVisible();
  expect(await rest.call('GET', `/vvols/${id}/limits`)).toMatchObject({
    maxIops: 500,
    maxBandwidth: 1 << 20,
  });
});

test('who may not set limits sees why', async ({ page, rest }) => {
  await rest.account('otto', 'operator');
  const sufferer = await volume(rest, 'quiet disk');
  await letWait(page, sufferer, { id: await volume(rest, 'loud disk'), name: HOSTILE });
  await logIn(page, 'otto', `/ui/performance?objects=volume:${sufferer}`);
  const title = await page.title();
  const limit = page.getByRole('button', { name: `Limit ${HOSTILE}` });
  await expect(limit).toHaveAttribute('aria-disabled', 'true');
  await limit.focus();
  await expect(page.getByRole('tooltip')).toHaveText('This needs the role vm-admin; you have operator.');
  await limit.press('Enter');
  await expect(page.getByRole('dialog')).toBeHidden();
  await expect(page.getByTitle(HOSTILE)).toHaveText(HOSTILE);
  expect(await page.title()).toBe(title);
});

test('an object that is not there leaves the others, and the live changes', async ({ page }) => {
  await logIn(page, 'cora', '/ui/performance?objects=system/volume:00000000-0000-4000-8000-000000000000');
  await expect(page.getByText('is not there any more, or this account does not see it.')).toBeVisible();
  await drawn(page);
  await page.reload();
  await drawn(page);
  await expect(page.locator('[data-live=live]')).toBeVisible();
});

test('a page that is left alone asks for nothing', async ({ page, rest }) => {
  const id = await volume(rest, 'left disk');
  await logIn(page, 'cora', `/ui/performance?objects=system/volume:${id}`);
  await drawn(page);
  await page.waitForTimeout(2_000);
  const asked: string[] = [];
  page.on('request', (request) => asked.push(request.url()));
  await page.waitForTimeout(6_000);
  expect(asked).toEqual([]);
});

test('offloads are those of the API, by volume, virtual machine and host', async ({ page, rest }) => {
  const id = await volume(rest, 'left disk');
  await logIn(page, 'cora', `/ui/performance?objects=volume:${id}`);
  await page.getByRole('tab', { name: 'Offloads' }).click();
  const figure = page.locator('[data-figure="/offloads/total#/total/commands"]');
  await expect(figure).toBeVisible();
  const { total } = await rest.call('GET', '/offloads/total');
  expect(Number(await figure.getAttribute('data-raw'))).toBe(total.commands);

  for (const [name, path] of [
    ['Volumes', '/offloads'],
    ['Virtual machines', '/offloads/vms'],
    ['Hosts', '/offloads/hosts'],
  ] as const) {
    await page.getByRole('button', { name, exact: true }).click();
    const { items } = await rest.call('GET', `${path}?limit=1000`);
    await expect(page.getByRole('status').getByText(`${items.length} row`)).toBeVisible();
  }
  expect(new URL(page.url()).searchParams.get('by')).toBe('host');
  await page.getByLabel('Kind', { exact: true }).selectOption('UNMAP');
  expect(new URL(page.url()).searchParams.get('kind')).toBe('unmap');
  await picture(page, 'offloads');
  expect(await violations(page)).toEqual([]);

  await page.getByRole('tab', { name: 'Load', exact: true }).click();
  expect(objects(page)).toBe(`volume:${id}`);
});
