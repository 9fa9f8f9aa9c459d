import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, logIn, type Page, picture, type Rest, test } from './kit';

const QUIET = 'calm disk';
const LOUD = 'noisy disk';
const MIB = 1 << 20;

/** What qemu calls itself. */
const INITIATOR = 'iqn.2008-11.org.linux-kvm';

/** A volume that a host writes to, as fast as it can. */
class WrittenDisk {
  private constructor(
    readonly id: string,
    private readonly writer: ChildProcess,
  ) {}

  /** Begins to write, with so many commands at a time; it ends by itself after so many of them. */
  static async start(
    rest: Rest,
    name: string,
    load: { depth: number; size: string; commands: number },
  ): Promise<WrittenDisk> {
    const id = await rest.volume(name, 64 * MIB);
    const unit = await rest.call('POST', '/exports', { vvol: id, initiators: [INITIATOR] });
    const lun = `iscsi://${unit.portals[0]}/${unit.target}/${unit.lun}`;
    const flags = ['-d', `${load.depth}`, '-s', load.size, '-c', `${load.commands}`];
    const writer = spawn('qemu-img', ['bench', '-w', '-t', 'none', '-f', 'raw', ...flags, lun], {
      stdio: 'ignore',
    });
    return new WrittenDisk(id, writer);
  }

  async stop(): Promise<void> {
    if (this.writer.exitCode === null) {
      this.writer.kill('SIGKILL');
      await once(this.writer, 'exit');
    }
  }
}

/** The microseconds that a command of the first object took of late; absent if nothing was done. */
async function latency(page: Page): Promise<number | undefined> {
  await page.getByRole('button', { name: 'Ask again' }).first().click();
  const text = await page.getByText(/^Mean of /).first().textContent();
  const found = /: ([\d.,]+) (µs|ms|s)$/.exec(text ?? '');
  const unit = { µs: 1, ms: 1e3, s: 1e6 }[found?.[2] ?? ''];
  return unit === undefined ? undefined : Number(found![1]!.replace(',', '')) * unit;
}

test('who else is at work is limited, and the other one is faster', async ({ page, rest }) => {
  test.setTimeout(180_000);
  await rest.account('cora', 'storage-admin');
  const quiet = await WrittenDisk.start(rest, QUIET, { depth: 1, size: '4k', commands: 500_000 });
  const loud = await WrittenDisk.start(rest, LOUD, { depth: 64, size: '256k', commands: 500_000 });
  try {
    await logIn(page, 'cora', `/ui/performance?objects=volume:${quiet.id}`);
    const limit = page.getByRole('button', { name: `Limit ${LOUD}` });
    let before = 0;
    await expect(async () => {
      before = (await latency(page)) ?? 0;
      expect(before).toBeGreaterThan(0);
      await expect(limit).toBeVisible({ timeout: 2000 });
    }).toPass({ timeout: 60_000 });

    await limit.click();
    const form = page.getByRole('dialog', { name: `Limit ${LOUD}` });
    await form.getByLabel('I/Os a second, at most').fill('20');
    await form.getByRole('button', { name: `Limit ${LOUD}` }).click();
    await expect(page.locator('[data-marks="1"]')).toContainText('were set to 20 I/Os');
    await expect(page.locator('[data-charts="2"]')).toBeVisible();
    await expect
      .poll(() => latency(page), { timeout: 90_000, intervals: [2000] })
      .toBeLessThan(before / 2);
    await picture(page, 'neighbour-limited');
    expect((await rest.call('GET', `/vvols/${loud.id}/limits`)).maxIops).toBe(20);
  } finally {
    await quiet.stop();
    await loud.stop();
  }
});
