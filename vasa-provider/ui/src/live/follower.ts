import { problemOf, type Problem } from '../api/problem';
import { Parser } from './sse';

/**
 * How the stream of events is.
 *
 * - `connecting`: for the first time.
 * - `live`: changes come within a second.
 * - `reconnecting`: it broke; what is shown is of `since`.
 * - `refused`: the server has said why there is none.
 */
export type LiveState =
  | { state: 'connecting' }
  | { state: 'live'; since: number }
  | { state: 'reconnecting'; since: number }
  | { state: 'refused'; problem: Problem };

export interface LiveMessage {
  event: string;
  data: unknown;
}

export interface Listener {
  state(state: LiveState): void;
  message(message: LiveMessage): void;
  /** Messages may have been missed: everything is to be read again. */
  gap(): void;
}

const STREAM = '/api/v1/events/stream';

/** The server sends a comment each 15 s, and accepts a stream at once. */
const SILENCE_MILLIS = 25_000;
const LONGEST_PAUSE_MILLIS = 10_000;
/** Most objects of whose figures a stream tells. */
export const MOST_SUBJECTS = 32;

const GONE = 410;
const NOT_FOUND = 404;
const FORBIDDEN = 403;

/** A follower of the stream of events. It connects again by itself, from where it was. */
export class Follower {
  private readonly listener: Listener;
  private stopped = false;
  private lastId = '';
  private asked = '';
  private refused = '';
  private renewing = false;
  private was: LiveState = { state: 'connecting' };
  private abort = new AbortController();
  private wake: (() => void) | undefined;

  constructor(listener: Listener) {
    this.listener = listener;
  }

  stop(): void {
    this.stopped = true;
    this.abort.abort();
    this.wake?.();
  }

  /**
   * Asks for the figures of objects, in the words of the server. A stream has the same figures to
   * its end, so another one takes its place, from where this one was.
   */
  ask(subjects: readonly string[]): void {
    const asked = [...subjects].sort().join(',');
    if (asked !== this.asked) {
      this.asked = asked;
      this.renewing = true;
      this.abort.abort();
      this.wake?.();
    }
  }

  /** Connects again now, as after a login, instead of at the end of the pause. */
  hurry(): void {
    this.wake?.();
  }

  async run(): Promise<void> {
    let pause = 500;
    while (!this.stopped) {
      const connected = await this.connection().catch(() => false);
      if (this.stopped) {
        return;
      }
      if (this.renewing) {
        this.renewing = false;
        continue;
      }
      pause = connected ? 500 : Math.min(2 * pause, LONGEST_PAUSE_MILLIS);
      if (this.was.state === 'live') {
        this.enter({ state: 'reconnecting', since: Date.now() });
      }
      await this.sleep(pause);
    }
  }

  /** @returns whether the server accepted it, however it ended */
  private async connection(): Promise<boolean> {
    this.abort = new AbortController();
    this.renewing = false;
    const asked = this.asked;
    const response = await this.inTime(
      fetch(this.url(), {
        headers: { Accept: 'text/event-stream' },
        signal: this.abort.signal,
      }),
    );
    if (!response.ok || response.body === null) {
      const { problem } = await this.inTime(problemOf(response));
      if (problem.status === GONE) {
        this.lastId = '';
        this.listener.gap();
        return true;
      }
      if (asked !== '' && (problem.status === NOT_FOUND || problem.status === FORBIDDEN)) {
        this.refused = asked; // one of the objects is gone: the events are worth more
        return true;
      }
      this.enter({ state: 'refused', problem });
      return false;
    }
    if (this.was.state !== 'connecting' && this.lastId === '') {
      this.listener.gap(); // nothing tells where it was
    }
    this.enter({ state: 'live', since: Date.now() });
    await this.read(response.body);
    return true;
  }

  private url(): string {
    const query = new URLSearchParams();
    if (this.lastId !== '') {
      query.set('after', this.lastId);
    }
    if (this.asked !== '' && this.asked !== this.refused) {
      query.set('figures', this.asked);
    }
    return query.size === 0 ? STREAM : `${STREAM}?${query.toString()}`;
  }

  private async read(body: ReadableStream<Uint8Array>): Promise<void> {
    const parser = new Parser();
    const decoder = new TextDecoder();
    const reader = body.getReader();
    for (;;) {
      const { done, value } = await this.inTime(reader.read());
      if (done) {
        return;
      }
      for (const message of parser.take(decoder.decode(value, { stream: true }))) {
        this.lastId = message.lastId;
        const data: unknown = JSON.parse(message.data);
        if (message.event === 'problem') {
          this.enter({ state: 'refused', problem: data as Problem });
        } else {
          this.listener.message({ event: message.event, data });
        }
      }
    }
  }

  /** Gives the connection up if the server is silent: one that hangs ends nothing by itself. */
  private inTime<T>(answer: Promise<T>): Promise<T> {
    const timer = setTimeout(() => this.abort.abort(), SILENCE_MILLIS);
    return answer.finally(() => clearTimeout(timer));
  }

  private enter(state: LiveState): void {
    this.was = state;
    this.listener.state(state);
  }

  private sleep(millis: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, millis);
      this.wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}
