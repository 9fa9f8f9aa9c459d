import type { QueryClient } from '@tanstack/react-query';
import type { components } from '../generated/api';
import { session, sessionEnded } from '../api/session';
import { Store } from '../api/store';
import { Changes } from './changes';
import { follow, type LiveFigures, takeFigures } from './figures';
import { Follower, type LiveMessage, type LiveState } from './follower';
import type { FromWorker, ToWorker } from './shared.worker';

/** How the stream of events of this page is. */
export const live = new Store<LiveState>({ state: 'connecting' });

/** The version that the provider has been given since this page was loaded; empty: none. */
export const newVersion = new Store('');

type Hello = components['schemas']['StreamHello'];

const UNAUTHORIZED = 401;
let loadedFrom: string | undefined;

function greeted({ version }: Hello): void {
  loadedFrom ??= version;
  if (version !== loadedFrom) {
    newVersion.set(version);
  }
}

interface Stream {
  hurry(): void;
  ask(subjects: readonly string[]): void;
  stop(): void;
}

let stream: Stream | undefined;

/** Begins to follow the events, and keeps what was read up to date by them. */
export function startLive(queries: QueryClient): void {
  if (stream !== undefined) {
    return;
  }
  const changes = new Changes(queries);
  const listener = {
    state(state: LiveState) {
      if (state.state === 'live' && live.get().state === 'connecting') {
        changes.everything(); // what was read before may have changed before the stream began
      }
      if (state.state === 'refused' && state.problem.status === UNAUTHORIZED) {
        sessionEnded(state.problem.detail);
      }
      live.set(state);
    },
    message(message: LiveMessage) {
      if (message.event === 'hello') {
        greeted(message.data as Hello);
      } else if (message.event === 'figures') {
        takeFigures(message.data as LiveFigures);
      } else {
        changes.take(message);
      }
    },
    gap: () => changes.everything(),
  };
  const begun = 'SharedWorker' in window ? shared(listener) : own(listener);
  stream = begun;
  follow((subjects) => begun.ask(subjects));
  session.watch(() => {
    if (session.get().state === 'open') {
      stream?.hurry();
    } else if (session.get().state === 'none') {
      stopLive();
    }
  });
}

export function stopLive(): void {
  stream?.stop();
  stream = undefined;
  live.set({ state: 'connecting' });
}

type Listening = ConstructorParameters<typeof Follower>[0];

function own(listener: Listening): Stream {
  const follower = new Follower(listener);
  void follower.run();
  return follower;
}

function shared(listener: Listening): Stream {
  const worker = new SharedWorker(new URL('./shared.worker.ts', import.meta.url), {
    type: 'module',
    name: 'coppice-events',
  });
  worker.port.onmessage = ({ data }: MessageEvent<FromWorker>) => {
    switch (data.kind) {
      case 'state':
        listener.state(data.state);
        break;
      case 'message':
        listener.message(data.message);
        break;
      case 'gap':
        listener.gap();
    }
  };
  const say = (message: ToWorker) => worker.port.postMessage(message);
  const leave = () => say({ kind: 'leave' });
  window.addEventListener('pagehide', leave);
  return {
    hurry: () => say({ kind: 'hurry' }),
    ask: (subjects) => say({ kind: 'ask', subjects }),
    stop() {
      window.removeEventListener('pagehide', leave);
      leave();
      worker.port.close();
    },
  };
}
