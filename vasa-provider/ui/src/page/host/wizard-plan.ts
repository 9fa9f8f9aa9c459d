import { call, type Call } from '../../api/call';

/** What the wizard is asked to do. */
export interface Wanted {
  host: { id: string } | { name: string; initiators: readonly string[] };
  /** The secret of CHAP; empty: none is set. */
  secret: string;
  disk: { id: string } | { name: string; size: number; container: string };
}

/** What the calls so far have made. */
export interface Done {
  host?: { id: string; initiators: readonly string[] };
  secrets: number;
  disk?: string;
  exported: boolean;
}

export const NOTHING_DONE: Done = { secrets: 0, exported: false };

/** A call, and what is done once it has been answered. */
export interface PlannedCall {
  call: Call;
  done: (answer: unknown) => Done;
}

interface Identified {
  id: string;
}

/**
 * The next call; absent when all is done. So after one that failed the wizard goes on where it was,
 * and makes nothing twice.
 *
 * @param initiators of the host if it is one that was there
 */
export function next(
  wanted: Wanted,
  done: Done,
  initiators: readonly string[],
): PlannedCall | undefined {
  const host = done.host;
  if (host === undefined) {
    return hostCall(wanted, done, initiators);
  }
  if (wanted.secret !== '' && done.secrets < host.initiators.length) {
    return {
      call: call('PUT /initiators/{name}/chap', {
        path: { name: host.initiators[done.secrets]! },
        body: { secret: wanted.secret },
      }),
      done: () => ({ ...done, secrets: done.secrets + 1 }),
    };
  }
  if (done.disk === undefined) {
    return diskCall(wanted, done);
  }
  if (!done.exported) {
    return {
      call: call('POST /exports', { body: { vvol: done.disk, hosts: [host.id] } }),
      done: () => ({ ...done, exported: true }),
    };
  }
  return undefined;
}

/** Takes what needs no call as done. */
export function known(wanted: Wanted, initiators: readonly string[]): Done {
  return {
    ...NOTHING_DONE,
    ...('id' in wanted.host ? { host: { id: wanted.host.id, initiators } } : {}),
    ...('id' in wanted.disk ? { disk: wanted.disk.id } : {}),
  };
}

function hostCall(
  wanted: Wanted,
  done: Done,
  initiators: readonly string[],
): PlannedCall | undefined {
  if ('id' in wanted.host) {
    return next(wanted, known(wanted, initiators), initiators);
  }
  const { name, initiators: own } = wanted.host;
  return {
    call: call('POST /hosts', { body: { name, initiators: [...own] } }),
    done: (answer) => ({ ...done, host: { id: (answer as Identified).id, initiators: own } }),
  };
}

function diskCall(wanted: Wanted, done: Done): PlannedCall | undefined {
  if ('id' in wanted.disk) {
    return next(wanted, { ...done, disk: wanted.disk.id }, done.host?.initiators ?? []);
  }
  const { name, size, container } = wanted.disk;
  return {
    call: call('POST /volumes', { body: { name, size, container } }),
    done: (answer) => ({ ...done, disk: (answer as Identified).id }),
  };
}

const NAME = /^(iqn|eui|naa)\.\S{1,219}$/i;

/** The iSCSI names in a text, one a line; absent if one of them is none. */
export function parseInitiators(text: string): string[] | undefined {
  const names = text.split(/\s+/).filter(Boolean);
  return names.length > 0 && names.every((name) => NAME.test(name)) ? names : undefined;
}

const SHORTEST_SECRET = 12;
const LONGEST_SECRET = 255;

/** Whether a text can be a secret of CHAP: printable ASCII. */
export function isSecret(text: string): boolean {
  return (
    text.length >= SHORTEST_SECRET && text.length <= LONGEST_SECRET && /^[\x20-\x7e]+$/.test(text)
  );
}
