// One stream of events for all tabs: a browser has six connections to a server, over all of them.
import { Follower, type LiveMessage, type LiveState, MOST_SUBJECTS } from './follower';

export type FromWorker =
  | { kind: 'state'; state: LiveState }
  | { kind: 'message'; message: LiveMessage }
  | { kind: 'gap' };
export type ToWorker =
  | { kind: 'hurry' }
  | { kind: 'leave' }
  | { kind: 'ask'; subjects: readonly string[] };

/** The tabs, and of what each shows figures. */
const ports = new Map<MessagePort, readonly string[]>();
let state: LiveState = { state: 'connecting' };
let follower: Follower | undefined;

function tell(message: FromWorker): void {
  ports.forEach((_, port) => port.postMessage(message));
}

function follow(): void {
  follower = new Follower({
    state(now) {
      state = now;
      tell({ kind: 'state', state });
    },
    message: (message) => tell({ kind: 'message', message }),
    gap: () => tell({ kind: 'gap' }),
  });
  void follower.run();
}

function ask(): void {
  follower?.ask([...new Set([...ports.values()].flat())].slice(0, MOST_SUBJECTS));
}

function leave(): void {
  if (ports.size === 0) {
    follower?.stop();
    follower = undefined;
    state = { state: 'connecting' };
  } else {
    ask();
  }
}

/** What this script runs in; the library of types for pages does not have it. */
interface SharedWorkerScope {
  onconnect: (event: MessageEvent) => void;
}

(self as unknown as SharedWorkerScope).onconnect = (event) => {
  const port = event.ports[0]!;
  ports.set(port, []);
  port.onmessage = ({ data }: MessageEvent<ToWorker>) => {
    switch (data.kind) {
      case 'hurry':
        follower?.hurry();
        break;
      case 'ask':
        ports.set(port, data.subjects);
        ask();
        break;
      case 'leave':
        ports.delete(port);
        leave();
    }
  };
  port.postMessage({ kind: 'state', state } satisfies FromWorker);
  if (follower === undefined) {
    follow();
  }
};
