import type { components } from '../../generated/api';

export type RefusedClient = components['schemas']['RefusedClient'];

/** What there is to do about a refused client. */
export type Remedy = 'handshake' | 'ended' | 'authority' | 'reason';

/** How the reason begins if a client broke off the handshake; what follows is TLS's own word. */
const HANDSHAKE = 'the TLS handshake failed';

/**
 * What to do about a client that was refused. Reasons are sentences without end, so it goes by what is known of the
 * client itself; where that says nothing, the reason has to.
 *
 * @param trusted subjects of the authorities that are trusted
 */
export function remedyOf(
  client: RefusedClient,
  trusted: readonly string[],
  now: number,
): Remedy {
  if (client.reason.startsWith(HANDSHAKE)) {
    return 'handshake';
  }
  if (client.validUntil !== null && Date.parse(client.validUntil) < now) {
    return 'ended';
  }
  return client.issuer !== null && !trusted.includes(client.issuer) ? 'authority' : 'reason';
}

/** The URL that vCenter is given, by the one of the service. */
export function registrationUrl(service: string): string {
  return new URL('/vasa/version.xml', service).href;
}
