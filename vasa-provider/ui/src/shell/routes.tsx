import { lazy } from 'react';
import type { RouteObject } from 'react-router';
import { NotFoundPage } from './not-found-page';
import { Shell } from './shell';

const OverviewPage = lazy(() => import('../page/overview-page'));
const VolumesPage = lazy(() => import('../page/volumes-page'));
const VolumePage = lazy(() => import('../page/object/volume-page'));
const VmsPage = lazy(() => import('../page/vms-page'));
const VmPage = lazy(() => import('../page/object/vm-page'));
const HostsPage = lazy(() => import('../page/host/hosts-page'));
const BinPage = lazy(() => import('../page/bin-page'));
const VcentersPage = lazy(() => import('../page/vcenter/vcenters-page'));
const HistoryPage = lazy(() => import('../page/history/history-page'));
const HousekeepingPage = lazy(() => import('../page/housekeeping/housekeeping-page'));
const AccessPage = lazy(() => import('../page/access/access-page'));

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
      { path: 'hosts', element: <HostsPage /> },
      { path: 'bin', element: <BinPage /> },
      { path: 'vcenters', element: <VcentersPage /> },
      { path: 'events', element: <HistoryPage /> },
      { path: 'housekeeping', element: <HousekeepingPage /> },
      { path: 'access', element: <AccessPage /> },
      { path: '*', element: <NotFoundPage /> },
    ],
  },
];
