// One stream of events for all tabs: a browser has six connections to a server, over all of them.
import { Follower, type LiveMessage, type LiveState } from './follower';

export type FromWorker =
  | { kind: 'state'; state: LiveState }
  | { kind: 'message'; message: LiveMessage }
  | { kind: 'gap' };
export type ToWorker = { kind: 'hurry' } | { kind: 'leave' };

const ports = new Set<MessagePort>();
let state: LiveState = { state: 'connecting' };
let follower: Follower | undefined;

function tell(message: FromWorker): void {
  ports.forEach((port) => port.postMessage(message));
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

/** What this script runs in; the library of types for pages does not have it. */
interface SharedWorkerScope {
  onconnect: (event: MessageEvent) => void;
}

(self as unknown as SharedWorkerScope).onconnect = (event) => {
  const port = event.ports[0]!;
  ports.add(port);
  port.onmessage = ({ data }: MessageEvent<ToWorker>) => {
    if (data.kind === 'hurry') {
      follower?.hurry();
    } else {
      ports.delete(port);
      if (ports.size === 0) {
        follower?.stop();
        follower = undefined;
        state = { state: 'connecting' };
      }
    }
  };
  port.postMessage({ kind: 'state', state } satisfies FromWorker);
  if (follower === undefined) {
    follow();
  }
};
