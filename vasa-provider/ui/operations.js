// Makes a table of the operations from the description of the API: who may call which.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

const [from, to] = process.argv.slice(2);
const description = JSON.parse(readFileSync(from, 'utf8'));
const prefix = '/api/v1';
const rows = {};
for (const [path, methods] of Object.entries(description.paths)) {
  for (const [method, operation] of Object.entries(methods)) {
    if (path.startsWith(prefix)) {
      rows[`${method.toUpperCase()} ${path.slice(prefix.length)}`] = {
        id: operation.operationId,
        role: operation['x-required-role'] ?? null,
        withinContainers: operation['x-within-containers'] ?? false,
        ownAccount: operation['x-own-account'] ?? false,
        summary: operation.summary,
      };
    }
  }
}
mkdirSync(dirname(to), { recursive: true });
writeFileSync(
  to,
  `// Made from the description of the API.\nexport const OPERATIONS = ${JSON.stringify(rows, null, 1)} as const;\n`,
);
