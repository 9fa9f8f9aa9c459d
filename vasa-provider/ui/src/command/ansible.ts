import { type Call, urlOf } from '../api/call';
import { OPERATIONS } from '../generated/operations';
import { withoutSecrets } from './secrets';

/** The call as a task of Ansible. JSON is YAML, so each text is quoted as JSON is. */
export function ansibleOf(call: Call, origin: string): string {
  const headers = [`      Authorization: "Bearer {{ coppice_token }}"`];
  if (call.method === 'POST') {
    headers.push(`      Idempotency-Key: "{{ 1000000000 | random | string | to_uuid }}"`);
  }
  if (call.ifMatch !== undefined) {
    headers.push(`      If-Match: ${raw(call.ifMatch)}`);
  }
  return [
    `- name: ${raw(OPERATIONS[call.key].summary)}`,
    '  ansible.builtin.uri:',
    `    url: ${raw(origin + urlOf(call))}`,
    `    method: ${call.method}`,
    '    headers:',
    ...headers,
    ...(call.body === undefined ? [] : ['    body_format: json', `    body: ${raw(withoutSecrets(call.body))}`]),
    '    status_code: [200, 201, 202, 204]',
    '    ca_path: "{{ coppice_ca }}"',
  ].join('\n');
}

/** As JSON; what Ansible would take for an expression is marked as a plain text. */
function raw(value: unknown): string {
  const json = JSON.stringify(value);
  return /\{[{%#]/.test(json) ? `!unsafe ${json}` : json;
}
