import { QueryClient } from '@tanstack/react-query';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Changes } from './changes';

const ID = '3f2b8c1e-5d47-4a0e-9b61-7c2d90e4f815';

describe('a change', () => {
  const queries = new QueryClient();
  const names = ['limit-changes', 'offloads', 'policies', 'replication', 'timeline'];

  beforeEach(() => {
    vi.useFakeTimers();
    names.forEach((name) => queries.setQueryData([name], 'read'));
  });

  afterEach(() => {
    vi.useRealTimers();
    queries.clear();
  });

  function stale(event: string, data: unknown): string[] {
    new Changes(queries).take({ event, data });
    vi.advanceTimersByTime(1000);
    return names.filter((name) => queries.getQueryState([name])?.isInvalidated);
  }

  function occurrence(message: string) {
    return { objectType: 'Volume', objectId: ID, vvols: [], message: `io.coppice.change.${message}` };
  }

  it('of limits makes the marks of charts stale', () => {
    expect(stale('event', occurrence('VolumeLimits'))).toEqual(['limit-changes']);
    expect(stale('event', occurrence('MachineLimits'))).toEqual(['limit-changes']);
  });

  it('of anything else leaves them', () => {
    expect(stale('event', occurrence('VolumeRenamed'))).toEqual([]);
  });

  it('of a group makes timelines stale when the pool has followed', () => {
    const changed = { ...occurrence('ProtectionGroup'), objectType: 'ProtectionGroup' };
    expect(stale('event', changed)).toEqual([]);
    vi.advanceTimersByTime(3000);
    expect(queries.getQueryState(['timeline'])?.isInvalidated).toBe(true);
  });

  it.each(['ReplicationGroup', 'Runbook', 'Peer'])('of a %s makes replication stale', (objectType) => {
    expect(stale('event', { ...occurrence(objectType), objectType })).toEqual(['replication']);
  });

  it('of sessions makes the offloads stale', () => {
    expect(stale('changed', { type: 'IscsiSession' })).toEqual(['offloads']);
  });
});
