import type { Text } from '../text/en';

/** A page that the navigation leads to. */
export interface PageLink {
  to: string;
  title: string;
}

/** Pages that belong together. */
export interface PageGroup {
  /** Empty: they stand above the others. */
  title: string;
  pages: readonly PageLink[];
}

/** The pages of the navigation, in order. */
export function pageGroups(text: Text): readonly PageGroup[] {
  const t = text.nav;
  return [
    {
      title: '',
      pages: [
        { to: '/', title: t.overview },
        { to: '/performance', title: t.performance },
      ],
    },
    {
      title: t.groups.storage,
      pages: [
        { to: '/vms', title: t.vms },
        { to: '/volumes', title: t.volumes },
        { to: '/containers', title: t.containers },
        { to: '/policies', title: t.policies },
        { to: '/protection', title: t.protection },
        { to: '/replication', title: t.replication },
        { to: '/bin', title: t.bin },
      ],
    },
    {
      title: t.groups.hosts,
      pages: [
        { to: '/hosts', title: t.hosts },
        { to: '/vcenters', title: t.vcenters },
      ],
    },
    {
      title: t.groups.system,
      pages: [
        { to: '/events', title: t.history },
        { to: '/housekeeping', title: t.housekeeping },
        { to: '/access', title: t.access },
        { to: '/settings', title: t.settings },
      ],
    },
  ];
}
