import { describe, expect, it } from 'vitest';
import { historyOf, parseObjects, sideBySide, SYSTEM, textOf } from './load-object';

describe('objects in an address', () => {
  it('come back as they were written', () => {
    const objects = [
      SYSTEM,
      { kind: 'vm', id: '5023:b2,f0' },
      { kind: 'initiator', id: 'iqn.2026-11.example:db-1' },
    ] as const;
    expect(parseObjects(textOf(objects))).toEqual(objects);
  });

  it('are left out where they are none', () => {
    expect(parseObjects('')).toEqual([]);
    expect(parseObjects('nothing/vmx/vm:/:x/disk:1/volume:a')).toEqual([{ kind: 'volume', id: 'a' }]);
  });

  it('come once, and no more than fit', () => {
    expect(parseObjects('vm:1/vm:1')).toHaveLength(1);
    expect(parseObjects('vm:1/vm:2/vm:3/vm:4/vm:5/vm:6/vm:7')).toHaveLength(6);
  });
});

describe('an object', () => {
  it('has its history', () => {
    const name = 'iqn.2026-11.example:db-1';
    expect(historyOf({ kind: 'initiator', id: name }, { window: '1h', series: 'reads' })).toMatchObject({
      path: `/initiators/${encodeURIComponent(name)}/history`,
      query: { window: '1h', series: 'reads' },
    });
    expect(historyOf(SYSTEM, { series: 'reads' }).path).toBe('/system/history');
  });

  it('is shown beside another one', () => {
    const link = sideBySide([{ kind: 'volume', id: 'a' }, SYSTEM]);
    expect(new URL(link, 'https://host').searchParams.get('objects')).toBe('volume:a/system');
  });
});
