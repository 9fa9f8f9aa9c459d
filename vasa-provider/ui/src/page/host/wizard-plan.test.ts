import { describe, expect, it } from 'vitest';
import { isSecret, known, next, NOTHING_DONE, parseInitiators, type Wanted } from './wizard-plan';

const ID = '3f2b8c1e-5d47-4a0e-9b61-7c2d90e4f815';
const IQNS = ['iqn.2026-11.example:a', 'iqn.2026-11.example:b'];

function keys(wanted: Wanted, initiators: readonly string[]): string[] {
  const found = [];
  let done = known(wanted, initiators);
  for (let step = next(wanted, done, initiators); step; step = next(wanted, done, initiators)) {
    found.push(step.call.key);
    done = step.done({ id: ID });
  }
  return found;
}

describe('the plan of the wizard', () => {
  it('makes what is new, gives each initiator its secret, and exports last', () => {
    expect(
      keys(
        {
          host: { name: 'db-1', initiators: IQNS },
          secret: 'twelve chars!',
          disk: { name: 'disk', size: 4096, container: ID },
        },
        [],
      ),
    ).toEqual([
      'POST /hosts',
      'PUT /initiators/{name}/chap',
      'PUT /initiators/{name}/chap',
      'POST /volumes',
      'POST /exports',
    ]);
  });

  it('exports alone what is there already', () => {
    expect(keys({ host: { id: ID }, secret: '', disk: { id: ID } }, IQNS)).toEqual(['POST /exports']);
  });

  it('goes on after a failure where it was', () => {
    const wanted: Wanted = {
      host: { name: 'db-1', initiators: IQNS },
      secret: '',
      disk: { name: 'disk', size: 4096, container: ID },
    };
    const done = next(wanted, NOTHING_DONE, [])!.done({ id: ID });
    expect(next(wanted, done, [])!.call.key).toBe('POST /volumes');
    expect(next(wanted, done, [])!.call.key).toBe('POST /volumes');
  });
});

describe('names of initiators', () => {
  it.each([
    ['iqn.2026-11.example:a', ['iqn.2026-11.example:a']],
    [' iqn.a\n\neui.0123456789abcdef ', ['iqn.a', 'eui.0123456789abcdef']],
    ['', undefined],
    ['db-1', undefined],
    [`iqn.${'x'.repeat(220)}`, undefined],
  ])('in %j', (text, found) => {
    expect(parseInitiators(text)).toEqual(found);
  });
});

describe('a secret', () => {
  it.each([
    ['twelve chars', true],
    ['eleven char', false],
    ['x'.repeat(256), false],
    ['twelve chärs', false],
  ])('%s: %s', (text, is) => {
    expect(isSecret(text)).toBe(is);
  });
});
