import { describe, expect, it } from 'vitest';
import { call } from '../api/call';
import { ansibleOf } from './ansible';
import { coppiceOf } from './coppice';
import { curlOf } from './curl';

const ID = '3f2b8c1e-5d47-4a0e-9b61-7c2d90e4f815';
const path = { id: ID };

describe('the line of a peer', () => {
  it.each([
    [call('POST /replication/codes'), 'peer offer'],
    [call('GET /replication/peers'), 'peer list'],
    [call('GET /replication/peers/{id}', { path }), `peer show ${ID}`],
    [
      call('PATCH /replication/peers/{id}', { path, body: { address: 'b:9444' } }),
      `peer change ${ID} --address b:9444`,
    ],
    [call('DELETE /replication/peers/{id}', { path }), `peer remove ${ID}`],
  ])('is: %#', (wanted, line) => {
    expect(coppiceOf(wanted)).toBe(`./coppice ${line}`);
  });

  it('does not tell the code, in no form', () => {
    const add = call('POST /replication/peers', { body: { address: 'b:9443', code: '0A1B2-C3D4E' } });
    expect(coppiceOf(add)).toBe('./coppice peer add b:9443 --code CODE');
    for (const text of [coppiceOf(add), curlOf(add, 'https://h'), ansibleOf(add, 'https://h')]) {
      expect(text).not.toContain('0A1B2');
    }
  });
});

describe('the line of the lag of a group', () => {
  it('is one of the history', () => {
    expect(coppiceOf(call('GET /replication/groups/{id}/history', { path }))).toBe(
      `./coppice history replication-group ${ID}`,
    );
  });
});

describe('the line of a replication group', () => {
  it.each([
    [
      call('POST /replication/groups', {
        body: {
          name: 'my shop',
          peer: ID,
          interval: 'PT15S',
          rpo: 'PT1M',
          members: [{ vm: 'vm-1' }, { volume: ID }],
          keep: [
            { every: 'PT1M', keepFor: 'P1D' },
            { every: 'PT1H', keepFor: 'P30D' },
          ],
          container: 'gold',
        },
      }),
      `create 'my shop' --peer ${ID} --every 15s --rpo 1m --vm vm-1 --volume ${ID} --keep '1m for 1d, 1h for 30d' --container gold`,
    ],
    [call('GET /replication/groups'), 'list'],
    [call('GET /replication/groups/{id}', { path }), `show ${ID}`],
    [
      call('PATCH /replication/groups/{id}', { path, body: { keep: [], container: '' } }),
      `change ${ID} --keep none --container ''`,
    ],
    [call('PATCH /replication/groups/{id}', { path, body: { rpo: 'PT0S' } }), `change ${ID} --rpo 0s`],
    [call('PATCH /replication/groups/{id}', { path, body: { paused: true } }), `change ${ID} --paused yes`],
    [call('PATCH /replication/groups/{id}', { path, body: { paused: false } }), `change ${ID} --paused no`],
    [call('DELETE /replication/groups/{id}', { path }), `remove ${ID}`],
    [call('GET /replication/groups/{id}/replicas', { path }), `replicas ${ID}`],
    [
      call('POST /replication/groups/{id}/synchronize', { path, body: { name: 'a', tags: ['b', 'c'] } }),
      `sync ${ID} --name a --tag b --tag c`,
    ],
    [call('POST /replication/groups/{id}/prepare', { path }), `prepare ${ID}`],
    [call('POST /replication/groups/{id}/fail-over', { path, body: {} }), `fail-over ${ID}`],
    [
      call('POST /replication/groups/{id}/fail-over', {
        path,
        body: { replica: ID, planned: true, checkOnly: true },
      }),
      `fail-over ${ID} --replica ${ID} --planned --check`,
    ],
    [call('POST /replication/groups/{id}/test', { path, body: { replica: ID } }), `test ${ID} --replica ${ID}`],
    [call('DELETE /replication/groups/{id}/test', { path }), `end-test ${ID}`],
    [call('POST /replication/groups/{id}/promote', { path }), `promote ${ID}`],
    [call('POST /replication/groups/{id}/reverse', { path }), `reverse ${ID}`],
  ])('is: %#', (wanted, line) => {
    expect(coppiceOf(wanted)).toBe(`./coppice replication-group ${line}`);
  });
});
