import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Follower, type LiveMessage, type LiveState } from './follower';

type Answer = (signal: AbortSignal) => Response;

/** A server that answers each connection with the next of some answers, and then waits. */
class Server {
  readonly asked: string[] = [];
  private readonly answers: Answer[] = [];

  next(...answers: Answer[]): this {
    this.answers.push(...answers);
    return this;
  }

  readonly fetch = (url: string, { signal }: { signal: AbortSignal }): Promise<Response> => {
    this.asked.push(url);
    const answer = this.answers.shift();
    return answer === undefined
      ? new Promise((_, reject) => {
          signal.addEventListener('abort', () => reject(new Error('aborted')));
        })
      : Promise.resolve(answer(signal));
  };
}

const PROBLEM = {
  type: 't',
  title: 't',
  status: 0,
  detail: 'why',
  code: 'c',
  target: null,
  traceId: null,
};

function stream(...texts: string[]): () => Response {
  return () => new Response(texts.join(''), { status: 200 });
}

/** A stream that stays open and says nothing. */
function silent(): Answer {
  return (signal) =>
    new Response(
      new ReadableStream({
        start: (it) => signal.addEventListener('abort', () => it.error(new Error('aborted'))),
      }),
    );
}

function refusal(status: number): () => Response {
  return () => new Response(JSON.stringify({ ...PROBLEM, status }), { status });
}

function event(id: number): string {
  return `id: ${id}\nevent: event\ndata: {"id":${id}}\n\n`;
}

describe('the follower of the stream of events', () => {
  const states: LiveState[] = [];
  const messages: LiveMessage[] = [];
  let gaps = 0;
  let server: Server;
  let follower: Follower;

  beforeEach(() => {
    states.length = 0;
    messages.length = 0;
    gaps = 0;
    server = new Server();
    vi.stubGlobal('fetch', server.fetch);
    follower = new Follower({
      state: (state) => states.push(state),
      message: (message) => messages.push(message),
      gap: () => gaps++,
    });
  });

  afterEach(() => {
    follower.stop();
    vi.useRealTimers();
    vi.unstubAllGlobals();
  });

  const until = (holds: () => boolean) => vi.waitFor(() => expect(holds()).toBe(true), 5_000);

  it('goes on from the last event after a connection has broken', async () => {
    server.next(stream(event(7), event(8)), stream(event(9)));
    void follower.run();
    await until(() => server.asked.length === 3);

    expect(server.asked).toEqual([
      '/api/v1/events/stream',
      '/api/v1/events/stream?after=8',
      '/api/v1/events/stream?after=9',
    ]);
    expect(messages.map(({ data }) => (data as { id: number }).id)).toEqual([7, 8, 9]);
    expect(states.map(({ state }) => state)).toEqual(['live', 'reconnecting', 'live', 'reconnecting']);
    expect(gaps).toBe(0);
  });

  it('tells of a gap if the events in between are not kept any more', async () => {
    server.next(stream(event(7)), refusal(410), stream());
    void follower.run();
    await until(() => server.asked.length === 4);

    expect(server.asked[2]).toBe('/api/v1/events/stream');
    expect(gaps).toBeGreaterThan(0);
  });

  it('says why there is no stream, and tries again', async () => {
    server.next(refusal(503), stream(event(1)));
    void follower.run();
    await until(() => messages.length === 1);

    expect(states[0]).toMatchObject({ state: 'refused', problem: { detail: 'why', status: 503 } });
    expect(states[1]).toMatchObject({ state: 'live' });
  });

  it('takes another stream for other figures, at once and without a word', async () => {
    void follower.run();
    await until(() => server.asked.length === 1);
    follower.ask(['system', 'vm:a']);
    await until(() => server.asked.length === 2);

    expect(server.asked[1]).toBe('/api/v1/events/stream?figures=system%2Cvm%3Aa');
    expect(states).toEqual([]);
  });

  it('gives up a connection that the server does not answer, and tells it', async () => {
    vi.useFakeTimers();
    server.next(silent());
    void follower.run();
    await vi.advanceTimersByTimeAsync(100);
    follower.ask(['system']);
    await vi.advanceTimersByTimeAsync(100);
    expect(server.asked).toHaveLength(2);
    expect(states.map(({ state }) => state)).toEqual(['live']);

    await vi.advanceTimersByTimeAsync(26_000);
    expect(states.map(({ state }) => state)).toEqual(['live', 'reconnecting']);
    expect(server.asked).toHaveLength(3);
  });

  it('goes without figures if one of the objects is gone', async () => {
    server.next(refusal(404), stream(event(1)));
    follower.ask(['volume:gone']);
    void follower.run();
    await until(() => messages.length === 1);

    expect(server.asked).toEqual([
      '/api/v1/events/stream?figures=volume%3Agone',
      '/api/v1/events/stream',
    ]);
  });

  it('ends with a stop', async () => {
    const run = follower.run();
    await until(() => server.asked.length === 1);
    follower.stop();
    await run;

    expect(server.asked).toHaveLength(1);
  });
});
