import { describe, expect, it } from 'vitest';
import { call } from '../api/call';
import { coppiceOf } from './coppice';

const ID = '3f2b8c1e-5d47-4a0e-9b61-7c2d90e4f815';
const path = { id: ID };

describe('the line of a runbook', () => {
  it.each([
    [
      call('POST /replication/runbooks', {
        body: {
          name: 'berlin lost',
          steps: [{ groups: ['db', 'logs'], pause: 'PT30S' }, { groups: ['web'] }],
          exports: [{ group: 'db', hostGroup: 'cluster', lun: 10 }],
          exportTests: [{ group: 'db', host: 'sandbox' }],
          schedule: { at: '02:00', zone: 'UTC', days: ['monday', 'thursday'] },
          holdFor: 'PT10M',
          oldest: 'PT15M',
        },
      }),
      "create 'berlin lost' --step 'db,logs pause 30s' --step web --export 'db to cluster lun 10'" +
        " --test-export 'db to host sandbox' --schedule 'weekly mon,thu 02:00 UTC' --hold 10m --oldest 15m",
    ],
    [
      call('PATCH /replication/runbooks/{id}', {
        path,
        body: { exports: [], scheduled: false, oldest: '' },
      }),
      `change ${ID} --export none --schedule none --oldest none`,
    ],
    [
      call('PATCH /replication/runbooks/{id}', {
        path,
        body: { schedule: { at: '02:00', zone: 'UTC', days: [] } },
      }),
      `change ${ID} --schedule 'daily 02:00 UTC'`,
    ],
    [call('GET /replication/runbooks'), 'list'],
    [call('GET /replication/runbooks/{id}', { path }), `show ${ID}`],
    [call('DELETE /replication/runbooks/{id}', { path }), `remove ${ID}`],
    [call('POST /replication/runbooks/{id}/check', { path }), `check ${ID}`],
    [call('POST /replication/runbooks/{id}/test', { path }), `test ${ID}`],
    [call('DELETE /replication/runbooks/{id}/test', { path }), `end-test ${ID}`],
    [
      call('POST /replication/runbooks/{id}/run', { path, body: { planned: true } }),
      `run ${ID} --planned --yes`,
    ],
    [call('GET /replication/runbooks/{id}/runs', { path }), `runs ${ID}`],
    [
      call('GET /replication/runbooks/{id}/runs/{run}', { path: { id: ID, run: ID } }),
      `report ${ID} ${ID}`,
    ],
  ])('is: %#', (wanted, line) => {
    expect(coppiceOf(wanted)).toBe(`./coppice runbook ${line}`);
  });
});
