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
const PerformancePage = lazy(() => import('../page/performance/performance-page'));
const BinPage = lazy(() => import('../page/bin-page'));
const EventsPage = lazy(() => import('../page/events-page'));

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
      { path: 'performance', element: <PerformancePage /> },
      { path: 'bin', element: <BinPage /> },
      { path: 'events', element: <EventsPage /> },
      { path: '*', element: <NotFoundPage /> },
    ],
  },
];
