import { describe, expect, it } from 'vitest';
import { call } from '../api/call';
import { coppiceOf } from './coppice';
import { curlOf } from './curl';
import { withoutSecrets } from './secrets';

const ID = '3f2b8c1e-5d47-4a0e-9b61-7c2d90e4f815';
const path = { id: ID };

describe('a line of the administration', () => {
  it('has what is wanted of an account', () => {
    const body = { role: 'volume-admin' as const, containers: [ID], enabled: false };
    expect(coppiceOf(call('PATCH /accounts/{id}', { path, body }))).toBe(
      `./coppice account set ${ID} --role volume-admin --container ${ID} --enabled off`,
    );
  });

  it('has no password', () => {
    const change = call('PATCH /accounts/{id}', { path, body: { password: 'correct horse' } });
    expect(coppiceOf(change)).toBe(`./coppice account set-password ${ID}`);
    expect(curlOf(change, 'https://host:9443')).not.toContain('horse');
  });

  it('reads the URL and the key of a webhook from files', () => {
    const body = { name: 'on call', kind: 'webhook' as const, url: 'https://h/x', secret: 'key' };
    expect(coppiceOf(call('POST /alert-targets', { body }))).toBe(
      "./coppice alert-target create 'on call' --kind webhook --url-file FILE --secret-file FILE",
    );
  });

  it('asks for an approval in two words', () => {
    const body = { action: 'lower-bin-time' as const, value: `${ID} PT12H` };
    expect(coppiceOf(call('POST /approvals', { body }))).toBe(
      `./coppice approval ask lower-bin-time '${ID} PT12H'`,
    );
  });
});

describe('secrets of a body', () => {
  it('are not shown, and the rest is', () => {
    expect(withoutSecrets({ name: 'anna', password: 'x', secret: null })).toEqual({
      name: 'anna',
      password: 'SECRET',
      secret: null,
    });
    expect(withoutSecrets(undefined)).toBeUndefined();
    expect(withoutSecrets([1])).toEqual([1]);
  });
});
