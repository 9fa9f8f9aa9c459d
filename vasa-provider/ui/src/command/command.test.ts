import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { call } from '../api/call';
import { ansibleOf } from './ansible';
import { coppiceOf } from './coppice';
import { curlOf } from './curl';
import { word } from './shell';

const ID = '3f2b8c1e-5d47-4a0e-9b61-7c2d90e4f815';
const HOSTILE = [`it's`, '$(reboot)', '`x`', 'a b', '"', '\\', '', '!', '-rf', '{{ 1 }}', 'ä\u2028', 'a\nb'];

describe('a word for a shell', () => {
  it.each(HOSTILE)('stays one word: %j', (text) => {
    const printed = execFileSync('sh', ['-c', `printf %s. ${word(text)}`]).toString();
    expect(printed).toBe(`${text}.`);
  });
});

describe('a call', () => {
  const create = call('POST /volumes', {
    body: { name: 'my disk', size: 4096, container: ID },
  });

  it('has its line of the command line', () => {
    expect(coppiceOf(create)).toBe(
      `./coppice volume create 'my disk' --size 4096 --container ${ID}`,
    );
    expect(coppiceOf(call('DELETE /volumes/{id}', { path: { id: ID }, query: { unexport: true } }))).toBe(
      `./coppice volume delete ${ID} --unexport`,
    );
    expect(coppiceOf(call('GET /alerts'))).toBeUndefined();
  });

  it('has its line of curl', () => {
    expect(curlOf(create, 'https://host:9443')).toBe(
      [
        'curl --cacert "$COPPICE_CA" -H "Authorization: Bearer $COPPICE_TOKEN"',
        '-H "Idempotency-Key: $(uuidgen)"',
        "-H 'Content-Type: application/json'",
        `-d '{"name":"my disk","size":4096,"container":"${ID}"}'`,
        '-X POST https://host:9443/api/v1/volumes',
      ].join(' \\\n  '),
    );
  });

  it('has its task of Ansible, in which a name is no expression', () => {
    const task = ansibleOf(call('POST /volumes', { body: { name: '{{ x }}' } }), 'https://h:1');
    expect(task).toContain('    body: !unsafe {"name":"{{ x }}"}');
    expect(task).toContain('    url: "https://h:1/api/v1/volumes"');
    expect(task).toContain('    method: POST');
  });
});
