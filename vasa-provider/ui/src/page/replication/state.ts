import type { Text } from '../../text/en';

/** The states of a group at one end. */
export const STATES = [
  'SOURCE',
  'PREPARED',
  'TARGET',
  'INTEST',
  'FAILEDOVER',
  'REMOTE_FAILEDOVER',
] as const;

export type State = (typeof STATES)[number];
export type Status = 'danger' | 'info' | 'success' | 'warning';

/** What can be done with a group. */
export type Action =
  | 'synchronize'
  | 'prepare'
  | 'pause'
  | 'resume'
  | 'edit'
  | 'test'
  | 'failOver'
  | 'endTest'
  | 'promote'
  | 'reverse'
  | 'remove';

/** Where the data goes; absent if none does. */
export type Direction = 'out' | 'in';

interface Facts {
  state: string;
  paused: boolean;
  replica: string | null;
}

const STATUS: Record<State, Status> = {
  SOURCE: 'success',
  TARGET: 'success',
  PREPARED: 'warning',
  INTEST: 'info',
  FAILEDOVER: 'warning',
  REMOTE_FAILEDOVER: 'warning',
};

/** A state that this page knows; absent for one of a newer provider. */
export function stateOf(state: string): State | undefined {
  return STATES.find((one) => one === state);
}

/** A state in a word; one of a newer provider stays as it is. */
export function stateWord(state: string, text: Text): string {
  const known = stateOf(state);
  return known === undefined ? state : text.replication.states[known];
}

/** What a state means in a sentence; nothing for one of a newer provider. */
export function stateSentence(state: string, peer: string, text: Text): string | undefined {
  const known = stateOf(state);
  return known && text.replication.stateSentences[known](peer);
}

export function stateStatus(state: string): Status | undefined {
  const known = stateOf(state);
  return known && STATUS[known];
}

/** What may be done with a group, the usual first. */
export function actionsOf({ state, paused, replica }: Facts): readonly Action[] {
  switch (stateOf(state)) {
    case 'SOURCE':
      return ['synchronize', 'prepare', paused ? 'resume' : 'pause', 'edit', 'remove'];
    case 'PREPARED': // one that was cut is repeated
      return replica === null ? ['prepare', 'reverse'] : ['reverse'];
    case 'TARGET':
      return ['synchronize', 'test', 'failOver', 'remove'];
    case 'INTEST':
      return ['endTest', 'promote'];
    case 'FAILEDOVER':
    case 'REMOTE_FAILEDOVER': // the other end may be gone for good
      return ['reverse', 'remove'];
    default:
      return [];
  }
}

/** Where the data of a group goes, as seen from this end. */
export function directionOf(state: string): Direction | undefined {
  switch (stateOf(state)) {
    case 'SOURCE':
    case 'PREPARED':
      return 'out';
    case 'TARGET':
    case 'INTEST':
      return 'in';
    default:
      return undefined;
  }
}

/** Whether replicas of a group come to this end. */
export function receives(state: string): boolean {
  return directionOf(state) === 'in';
}
