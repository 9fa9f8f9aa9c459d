import { QueryClient, QueryObserver } from '@tanstack/react-query';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Changes } from './changes';

const ID = '3f2b8c1e-5d47-4a0e-9b61-7c2d90e4f815';
const MADE = { event: 'event', data: { objectType: 'Volume', objectId: ID, vvols: [], message: '' } };

/** A server whose answers come when the test says so, with what was true when each was asked for. */
class Server {
  now = 'before';
  readonly asked: (() => void)[] = [];

  readonly read = () => {
    const answer = this.now;
    return new Promise<unknown>((resolve) => this.asked.push(() => resolve(this.rows(answer))));
  };

  private rows(name: string) {
    return { rows: [{ id: ID, name }], total: 1, complete: true };
  }
}

describe('a change while something is read', () => {
  let queries: QueryClient;
  let server: Server;

  beforeEach(() => {
    vi.useFakeTimers();
    queries = new QueryClient({ defaultOptions: { queries: { staleTime: Infinity } } });
    server = new Server();
    vi.stubGlobal(
      'fetch',
      async () =>
        new Response(JSON.stringify({ id: ID, name: server.now }), {
          headers: { 'Content-Type': 'application/json' },
        }),
    );
  });

  afterEach(() => {
    queries.clear();
    vi.unstubAllGlobals();
    vi.useRealTimers();
  });

  /** Looks at a query, and lets the change come before the answer that was asked for first. */
  async function changed(key: readonly string[]): Promise<void> {
    const observer = new QueryObserver(queries, { queryKey: key, queryFn: server.read });
    observer.subscribe(() => {});
    server.now = 'after';
    new Changes(queries).take(MADE);
    await vi.advanceTimersByTimeAsync(1000);
    for (const answer of server.asked) { // the second one is asked for when the first one has come
      answer();
      await vi.advanceTimersByTimeAsync(100);
    }
  }

  function names(key: readonly string[]): string[] {
    return queries.getQueryData<{ rows: { name: string }[] }>(key)!.rows.map((row) => row.name);
  }

  it('is in a list that gets its rows one by one', async () => {
    await changed(['volumes']);
    expect(names(['volumes'])).toEqual(['after']);
  });

  it('is in what is read as a whole', async () => {
    await changed(['space']);
    expect(names(['space'])).toEqual(['after']);
  });

  it('is in a list that is read for the second time', async () => {
    queries.setQueryData(['volumes'], { rows: [], total: 0, complete: true });
    queries.invalidateQueries();
    await changed(['volumes']);
    expect(names(['volumes'])).toEqual(['after']);
  });
});
