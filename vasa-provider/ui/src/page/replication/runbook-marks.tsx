import { Mark } from '../../kit/mark';
import type { Text } from '../../text/en';
import { useText } from '../../text/preferences';
import type { Status } from './state';

const STATES = ['running', 'holding', 'ending', 'succeeded', 'failed', 'cut'] as const;
const OUTCOMES = [
  'waiting',
  'going',
  'done',
  'already',
  'ready',
  'missing',
  'failed',
  'cut',
] as const;

const STATUS: Readonly<Record<string, Status>> = {
  succeeded: 'success',
  done: 'success',
  already: 'success',
  ready: 'success',
  failed: 'danger',
  missing: 'danger',
  cut: 'warning',
  running: 'info',
  holding: 'info',
  ending: 'info',
  going: 'info',
};

/** The state of a run in a word; one of a newer provider stays as it is. */
export function runWord(state: string, text: Text): string {
  const known = STATES.find((one) => one === state);
  return known === undefined ? state : text.runbooks.states[known];
}

/** The state of a run, with its colour. */
export function RunMark({ state }: { state: string }) {
  const text = useText();
  return <Mark status={statusOf(state)}>{runWord(state, text)}</Mark>;
}

/** What became of a group, with its colour. */
export function OutcomeMark({ outcome }: { outcome: string }) {
  const text = useText();
  const known = OUTCOMES.find((one) => one === outcome);
  const word = known === undefined ? outcome : text.runbooks.outcomes[known];
  return <Mark status={statusOf(outcome)}>{word}</Mark>;
}

function statusOf(word: string): Status | undefined {
  return Object.hasOwn(STATUS, word) ? STATUS[word] : undefined;
}
