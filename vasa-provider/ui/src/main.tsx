import '@patternfly/react-core/dist/styles/base.css';
import './app.css';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { createBrowserRouter, RouterProvider } from 'react-router';
import { ProblemError } from './api/problem';
import { findSession } from './api/session';
import { routes } from './shell/routes';
import { applyPreferences } from './text/preferences';

const BASE = '/ui';
const MOST_TRIES = 2;

if (!window.location.pathname.startsWith(BASE)) {
  window.history.replaceState(null, '', `${BASE}/`);
}
applyPreferences();
void findSession();

// Nothing is read again by time: the stream of events says what has changed.
const queries = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: Infinity,
      refetchOnWindowFocus: false,
      refetchOnReconnect: false,
      retry: (tries, error) =>
        tries < MOST_TRIES && error instanceof ProblemError && error.problem.status >= 500,
    },
    mutations: { retry: false },
  },
});

createRoot(document.getElementById('root')!).render(
  <StrictMode>
    <QueryClientProvider client={queries}>
      <RouterProvider router={createBrowserRouter(routes, { basename: BASE })} />
    </QueryClientProvider>
  </StrictMode>,
);
