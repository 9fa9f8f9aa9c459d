import { describe, expect, it } from 'vitest';
import { type RefusedClient, registrationUrl, remedyOf } from './refused';

const NOW = Date.parse('2026-11-20T10:00:00Z');

const CLIENT: RefusedClient = {
  address: '192.0.2.21',
  subject: 'CN=esx1',
  issuer: 'CN=CA',
  validUntil: '2027-11-20T10:00:00Z',
  reason: 'Its authority is trusted by no registration.',
  times: 3,
  first: '2026-11-20T09:00:00Z',
  last: '2026-11-20T09:59:00Z',
};

const STRANGER: RefusedClient = { ...CLIENT, subject: null, issuer: null, validUntil: null };

describe('a refused client', () => {
  it.each([
    ['handshake', { ...STRANGER, reason: 'the TLS handshake failed: unknown_ca' }],
    ['ended', { ...CLIENT, validUntil: '2026-11-20T09:59:59Z' }],
    ['authority', CLIENT],
    ['reason', STRANGER],
  ] as const)('has a remedy: %s', (remedy, client) => {
    expect(remedyOf(client, ['CN=Other'], NOW)).toBe(remedy);
  });

  it('of a trusted authority has the reason alone', () => {
    expect(remedyOf(CLIENT, ['CN=CA'], NOW)).toBe('reason');
  });
});

describe('the URL of the registration', () => {
  it('is beside the one of the service', () => {
    expect(registrationUrl('https://192.0.2.10:8443/vasa/services/vasaService')).toBe(
      'https://192.0.2.10:8443/vasa/version.xml',
    );
  });
});
