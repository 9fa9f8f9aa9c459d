import { describe, expect, it } from 'vitest';
import { en } from '../../text/en';
import { actionsOf, directionOf, receives, STATES, stateSentence, stateStatus, stateWord } from './state';

function actions(state: string, change: { paused?: boolean; replica?: string | null } = {}) {
  return actionsOf({ state, paused: false, replica: 'r', ...change });
}

describe('a state', () => {
  it.each([
    ['SOURCE', 'Source', 'success'],
    ['PREPARED', 'Prepared', 'warning'],
    ['TARGET', 'Target', 'success'],
    ['INTEST', 'In test', 'info'],
    ['FAILEDOVER', 'Failed over, here', 'warning'],
    ['REMOTE_FAILEDOVER', 'Failed over, at the peer', 'warning'],
  ])('has a word and a colour: %s', (state, word, status) => {
    expect(stateWord(state, en)).toBe(word);
    expect(stateStatus(state)).toBe(status);
  });

  it('says what it means, with the name of the peer', () => {
    STATES.forEach((state) => expect(stateSentence(state, 'berlin', en)).toContain('berlin'));
  });

  it('that is not known stays as it is', () => {
    expect(stateWord('RESTING', en)).toBe('RESTING');
    expect(stateStatus('RESTING')).toBeUndefined();
    expect(stateSentence('toString', 'berlin', en)).toBeUndefined();
    expect(actions('RESTING')).toEqual([]);
  });

  it.each([
    ['SOURCE', 'out', false],
    ['PREPARED', 'out', false],
    ['TARGET', 'in', true],
    ['INTEST', 'in', true],
    ['FAILEDOVER', undefined, false],
    ['REMOTE_FAILEDOVER', undefined, false],
  ])('says where the data goes: %s', (state, direction, isReceiving) => {
    expect(directionOf(state)).toBe(direction);
    expect(receives(state)).toBe(isReceiving);
  });
});

describe('the actions', () => {
  it('of a source', () => {
    expect(actions('SOURCE')).toEqual(['synchronize', 'prepare', 'pause', 'edit', 'remove']);
    expect(actions('SOURCE', { paused: true })).toContain('resume');
    expect(actions('SOURCE', { paused: true })).not.toContain('pause');
  });

  it('of a prepared source, which is prepared again if that was cut', () => {
    expect(actions('PREPARED')).toEqual(['reverse']);
    expect(actions('PREPARED', { replica: null })).toEqual(['prepare', 'reverse']);
  });

  it('of a target, and of one in a test', () => {
    expect(actions('TARGET')).toEqual(['synchronize', 'test', 'failOver', 'remove']);
    expect(actions('INTEST')).toEqual(['endTest', 'promote']);
  });

  it('after a fail-over, at both ends', () => {
    expect(actions('FAILEDOVER')).toEqual(['reverse', 'remove']);
    expect(actions('REMOTE_FAILEDOVER')).toEqual(['reverse', 'remove']);
  });
});
