import { describe, expect, it } from 'vitest';
import { aboutPath, objectPath } from './object-path';

const ID = '3f2b8c1e-5d47-4a0e-9b61-7c2d90e4f815';

describe('the page of an object', () => {
  it.each([
    ['Volume', ID, `/volumes/${ID}`],
    ['VirtualMachine', 'vm 1', '/vms/vm%201'],
    ['Export', ID, `/hosts?tab=exports&q=${ID}`],
    ['Initiator', 'iqn.2026-11.example:a', '/hosts?q=iqn.2026-11.example%3Aa'],
    ['Alert', ID, `/events?kind=alert&entry=alert%3A${ID}`],
    ['ReplicationGroup', ID, `/replication/groups/${ID}`],
    ['Runbook', ID, `/replication/runbooks/${ID}`],
    ['Peer', ID, `/replication?tab=peers&q=${ID}`],
    ['Portal', '1', '/housekeeping?tab=portals'],
  ])('of the type %s', (type, id, path) => {
    expect(objectPath(type, id)).toBe(path);
  });

  it.each([
    ['Snapshot', ID],
    ['toString', ID],
    [null, ID],
    ['Volume', null],
  ])('is none: %s %s', (type, id) => {
    expect(objectPath(type, id)).toBeUndefined();
  });

  it('is that of what an alert is about', () => {
    expect(aboutPath('container', ID)).toBe(`/containers/${ID}`);
    expect(aboutPath('system', ID)).toBe('/');
    expect(aboutPath('replication-group', ID)).toBe(`/replication/groups/${ID}`);
    expect(aboutPath('peer', ID)).toBe(`/replication?tab=peers&q=${ID}`);
    expect(aboutPath('runbook', ID)).toBe(`/replication/runbooks/${ID}`);
    expect(aboutPath('certificate', 'vasa')).toBeUndefined();
  });
});
