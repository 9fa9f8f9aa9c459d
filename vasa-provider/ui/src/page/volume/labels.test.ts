import { describe, expect, it } from 'vitest';
import { changeOf, parseLabels, textOfLabels } from './labels';

describe('labels', () => {
  it('are read as they were written', () => {
    const labels = { app: 'shop', path: 'a=b', empty: '' };
    expect(parseLabels(textOfLabels(labels))).toEqual({ labels });
  });

  it('may have empty lines between them', () => {
    expect(parseLabels('\na = 1 \n\n')).toEqual({ labels: { a: '1' } });
  });

  it.each([
    ['nonsense', { wrong: 'line', text: 'nonsense' }],
    ['=x', { wrong: 'line', text: '=x' }],
    ['a=1\na=2', { wrong: 'twice', text: 'a' }],
  ])('are refused: %s', (text, found) => {
    expect(parseLabels(text)).toEqual(found);
  });

  it('change by what differs', () => {
    expect(changeOf({ a: '1', b: '2', c: '3' }, { a: '1', b: '4', d: '5' })).toEqual({
      b: '4',
      c: null,
      d: '5',
    });
  });
});
