const SECRETS: ReadonlySet<string> = new Set([
  'password',
  'currentPassword',
  'secret',
  'mutualSecret',
  'code',
]);

/** What stands for a secret in a command that is shown: nobody may read it over a shoulder. */
const PLACEHOLDER = 'SECRET';

/** A body as it is shown in a command. */
export function withoutSecrets(body: unknown): unknown {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    return body;
  }
  return Object.fromEntries(
    Object.entries(body).map(([name, value]) => [
      name,
      SECRETS.has(name) && typeof value === 'string' ? PLACEHOLDER : (value as unknown),
    ]),
  );
}
