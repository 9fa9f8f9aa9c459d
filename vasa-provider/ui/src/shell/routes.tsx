import { lazy } from 'react';
import type { RouteObject } from 'react-router';
import { NotFoundPage } from './not-found-page';
import { Shell } from './shell';

const OverviewPage = lazy(() => import('../page/overview-page'));
const VolumesPage = lazy(() => import('../page/volumes-page'));
const BinPage = lazy(() => import('../page/bin-page'));
const EventsPage = lazy(() => import('../page/events-page'));

export const routes: RouteObject[] = [
  {
    path: '/',
    element: <Shell />,
    children: [
      { index: true, element: <OverviewPage /> },
      { path: 'volumes', element: <VolumesPage /> },
      { path: 'bin', element: <BinPage /> },
      { path: 'events', element: <EventsPage /> },
      { path: '*', element: <NotFoundPage /> },
    ],
  },
];
