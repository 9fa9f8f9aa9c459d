import { describe, expect, it } from 'vitest';
import { type AlertTarget, NEW_TARGET, newTarget, targetChange, targetDraft } from './target-draft';

const KEY = 'sixteen letters!';

const MAIL: AlertTarget = {
  id: 't-1',
  name: 'ops',
  kind: 'mail',
  enabled: true,
  severity: 'warning',
  server: 'mail.example.com:587',
  security: 'starttls',
  user: 'coppice',
  from: 'coppice@example.com',
  to: ['a@example.com', 'b@example.com'],
  ca: null,
  secret: true,
  waiting: 0,
  lost: 0,
  obstacle: null,
  delivered: null,
  test: null,
};

describe('a new target', () => {
  it('is a webhook with a URL and a key', () => {
    const draft = { ...NEW_TARGET, name: ' on-call ', url: 'https://hooks.example.com/x', secret: KEY };
    expect(newTarget(draft)).toEqual({
      name: 'on-call',
      kind: 'webhook',
      enabled: true,
      severity: 'warning',
      url: 'https://hooks.example.com/x',
      secret: KEY,
    });
    expect(newTarget({ ...draft, secret: 'short' })).toBeUndefined();
    expect(newTarget({ ...draft, url: 'http://hooks.example.com/x' })).toBeUndefined();
    expect(newTarget({ ...draft, url: 'nonsense' })).toBeUndefined();
    expect(newTarget({ ...draft, name: ' ' })).toBeUndefined();
  });

  it('is a mail server with recipients, and a password if it has a user', () => {
    const draft = {
      ...NEW_TARGET,
      name: 'ops',
      kind: 'mail' as const,
      server: 'mail.example.com:587',
      from: 'coppice@example.com',
      to: 'a@example.com\n\n b@example.com ',
    };
    expect(newTarget(draft)).toMatchObject({ to: ['a@example.com', 'b@example.com'] });
    expect(newTarget(draft)).not.toHaveProperty('user');
    expect(newTarget({ ...draft, user: 'coppice' })).toBeUndefined();
    expect(newTarget({ ...draft, user: 'coppice', secret: 'x' })).toMatchObject({ secret: 'x' });
    expect(newTarget({ ...draft, to: '\n' })).toBeUndefined();
  });
});

describe('a change of a target', () => {
  it('is none if nothing differs', () => {
    expect(targetChange(targetDraft(MAIL), MAIL)).toBeUndefined();
  });

  it('has what differs', () => {
    const draft = { ...targetDraft(MAIL), user: '', severity: 'critical' as const, to: 'a@example.com' };
    expect(targetChange(draft, MAIL)).toEqual({ severity: 'critical', user: '', to: ['a@example.com'] });
  });

  it('leaves what is secret as it is unless it is typed', () => {
    const hook: AlertTarget = { ...MAIL, kind: 'webhook', security: null, user: null, from: null, to: null };
    expect(targetChange({ ...targetDraft(hook), enabled: false }, hook)).toEqual({ enabled: false });
    expect(targetChange({ ...targetDraft(hook), secret: KEY }, hook)).toEqual({ secret: KEY });
    expect(targetChange({ ...targetDraft(hook), url: 'nonsense' }, hook)).toBeUndefined();
  });
});
