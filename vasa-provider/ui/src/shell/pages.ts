import type { Text } from '../text/en';

/** A page that the navigation leads to. */
export interface PageLink {
  to: string;
  title: string;
}

/** The pages of the navigation, in order. */
export function pages(text: Text): readonly PageLink[] {
  return [
    { to: '/', title: text.nav.overview },
    { to: '/vms', title: text.nav.vms },
    { to: '/volumes', title: text.nav.volumes },
    { to: '/hosts', title: text.nav.hosts },
    { to: '/bin', title: text.nav.bin },
    { to: '/events', title: text.nav.events },
    { to: '/settings', title: text.nav.settings },
  ];
}
