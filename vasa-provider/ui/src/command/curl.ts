import { type Call, urlOf } from '../api/call';
import { withoutSecrets } from './secrets';
import { word } from './shell';

/** The call as a line of curl, with the token and the certificate of a shell's variables. */
export function curlOf(call: Call, origin: string): string {
  const lines = [`curl --cacert "$COPPICE_CA" -H "Authorization: Bearer $COPPICE_TOKEN"`];
  if (call.method === 'POST') {
    lines.push('-H "Idempotency-Key: $(uuidgen)"');
  }
  if (call.ifMatch !== undefined) {
    lines.push(`-H ${word(`If-Match: ${call.ifMatch}`)}`);
  }
  if (call.body !== undefined) {
    lines.push(`-H 'Content-Type: application/json'`, `-d ${word(JSON.stringify(withoutSecrets(call.body)))}`);
  }
  lines.push(`${call.method === 'GET' ? '' : `-X ${call.method} `}${word(origin + urlOf(call))}`);
  return lines.join(' \\\n  ');
}
