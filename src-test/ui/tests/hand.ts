import type { Locator } from '@playwright/test';
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';

/** Seconds of the keystroke-level model (Card, Moran and Newell 1980): point, press, home, think, and type. */
const POINT = 1.1;
const PRESS = 0.2;
const HOME = 0.4;
const THINK = 1.35;
const KEY = 0.28;

/** The hand of somebody who does a task, which counts what the task takes. */
export class Hand {
  private readonly task: string;
  private readonly begun = Date.now();
  private clicks = 0;
  private fields = 0;
  private keys = 0;

  constructor(task: string) {
    this.task = task;
  }

  async click(what: Locator): Promise<void> {
    await what.click();
    this.clicks++;
  }

  /** Clicks into a field and types. */
  async type(into: Locator, text: string): Promise<void> {
    await into.fill(text);
    this.fields++;
    this.keys += text.length;
  }

  async press(what: Locator, key: string): Promise<void> {
    await what.press(key);
    this.keys++;
  }

  /** Writes down what the task took. */
  done(): void {
    const moves = this.clicks + this.fields;
    const seconds = moves * (THINK + POINT + PRESS) + this.fields * 2 * HOME + this.keys * KEY;
    const took = {
      task: this.task,
      clicks: this.clicks,
      fields: this.fields,
      keys: this.keys,
      seconds: Math.round(seconds),
      machineSeconds: (Date.now() - this.begun) / 1000,
    };
    appendFileSync(join(process.env.UI_TEST_WORK ?? 'target', 'tasks.jsonl'), `${JSON.stringify(took)}\n`);
  }
}
