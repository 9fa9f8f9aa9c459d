import { lazy } from 'react';
import type { RouteObject } from 'react-router';
import { NotFoundPage } from './not-found-page';
import { Shell } from './shell';

const OverviewPage = lazy(() => import('../page/overview-page'));
const VolumesPage = lazy(() => import('../page/volumes-page'));
const VolumePage = lazy(() => import('../page/object/volume-page'));
const VmsPage = lazy(() => import('../page/vms-page'));
const VmPage = lazy(() => import('../page/object/vm-page'));
const ContainersPage = lazy(() => import('../page/container/containers-page'));
const ContainerPage = lazy(() => import('../page/container/container-page'));
const PoliciesPage = lazy(() => import('../page/policy/policies-page'));
const PolicyPage = lazy(() => import('../page/policy/policy-page'));
const ProtectionPage = lazy(() => import('../page/protection/protection-page'));
const ProtectionPolicyPage = lazy(() => import('../page/protection/protection-policy-page'));
const ReplicationPage = lazy(() => import('../page/replication/replication-page'));
const ReplicationGroupPage = lazy(() => import('../page/replication/group-page'));
const RunbookPage = lazy(() => import('../page/replication/runbook-page'));
const HostsPage = lazy(() => import('../page/host/hosts-page'));
const PerformancePage = lazy(() => import('../page/performance/performance-page'));
const BinPage = lazy(() => import('../page/bin-page'));
const VcentersPage = lazy(() => import('../page/vcenter/vcenters-page'));
const HistoryPage = lazy(() => import('../page/history/history-page'));
const HousekeepingPage = lazy(() => import('../page/housekeeping/housekeeping-page'));
const AccessPage = lazy(() => import('../page/access/access-page'));
const SettingsPage = lazy(() => import('../page/setting/settings-page'));

export const routes: RouteObject[] = [
  {
    path: '/',
    element: <Shell />,
    children: [
      { index: true, element: <OverviewPage /> },
      { path: 'volumes', element: <VolumesPage /> },
      { path: 'volumes/:id', element: <VolumePage /> },
      { path: 'vms', element: <VmsPage /> },
      { path: 'vms/:id', element: <VmPage /> },
      { path: 'containers', element: <ContainersPage /> },
      { path: 'containers/:id', element: <ContainerPage /> },
      { path: 'policies', element: <PoliciesPage /> },
      { path: 'policies/:id', element: <PolicyPage /> },
      { path: 'protection', element: <ProtectionPage /> },
      { path: 'protection/policies/:id', element: <ProtectionPolicyPage /> },
      { path: 'replication', element: <ReplicationPage /> },
      { path: 'replication/groups/:id', element: <ReplicationGroupPage /> },
      { path: 'replication/runbooks/:id', element: <RunbookPage /> },
      { path: 'hosts', element: <HostsPage /> },
      { path: 'performance', element: <PerformancePage /> },
      { path: 'bin', element: <BinPage /> },
      { path: 'vcenters', element: <VcentersPage /> },
      { path: 'events', element: <HistoryPage /> },
      { path: 'housekeeping', element: <HousekeepingPage /> },
      { path: 'access', element: <AccessPage /> },
      { path: 'settings', element: <SettingsPage /> },
      { path: '*', element: <NotFoundPage /> },
    ],
  },
];
