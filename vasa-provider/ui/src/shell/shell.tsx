import {
  Bullseye,
  Masthead,
  MastheadBrand,
  MastheadContent,
  MastheadLogo,
  MastheadMain,
  MastheadToggle,
  Nav,
  NavGroup,
  NavItem,
  NavList,
  Page,
  PageSidebar,
  PageSidebarBody,
  PageToggleButton,
  Spinner,
  Toolbar,
  ToolbarContent,
  ToolbarGroup,
  ToolbarItem,
} from '@patternfly/react-core';
import { useQueryClient } from '@tanstack/react-query';
import { Suspense, useEffect, useState } from 'react';
import { NavLink, Outlet, useLocation } from 'react-router';
import { session } from '../api/session';
import { useStore } from '../api/store';
import { useNarrow } from '../kit/narrow';
import { Toasts } from '../kit/toasts';
import { startLive } from '../live/live';
import { useText } from '../text/preferences';
import { AccountMenu } from './account-menu';
import { LiveBadge } from './live-badge';
import { LoginDialog } from './login-dialog';
import { LoginPage } from './login-page';
import { type PageLink, pageGroups } from './pages';
import { PaletteButton } from './palette';
import { PreferencesMenu } from './preferences-menu';

const MAIN = 'main';

/** The frame of all pages: the login before it, the navigation beside it. */
export function Shell() {
  const text = useText();
  const now = useStore(session);
  if (now.state === 'unknown') {
    return (
      <Bullseye>
        <Spinner aria-label={text.common.loading} />
      </Bullseye>
    );
  }
  return now.state === 'none' ? <LoginPage why={now.why} /> : <Frame />;
}

function Frame() {
  const text = useText();
  const queries = useQueryClient();
  const narrow = useNarrow();
  const { pathname } = useLocation();
  const [open, setOpen] = useState(!narrow);
  useEffect(() => startLive(queries), [queries]);
  useEffect(() => setOpen(!narrow), [narrow, pathname]); // on a phone it lies over the page
  const masthead = (
    <Masthead>
      <MastheadMain>
        <MastheadToggle>
          <PageToggleButton
            isHamburgerButton
            aria-label={text.toggleNavigation}
            isSidebarOpen={open}
            onSidebarToggle={() => setOpen(!open)}
          />
        </MastheadToggle>
        <MastheadBrand>
          <MastheadLogo component={(props) => <NavLink {...props} to="/" />}>
            <strong>{text.product}</strong>
          </MastheadLogo>
        </MastheadBrand>
      </MastheadMain>
      <MastheadContent>
        <Toolbar isFullHeight isStatic>
          <ToolbarContent>
            <ToolbarGroup align={{ default: 'alignEnd' }}>
              <ToolbarItem alignSelf="center">
                <LiveBadge />
              </ToolbarItem>
              <ToolbarItem>
                <PaletteButton />
              </ToolbarItem>
              <ToolbarItem>
                <PreferencesMenu />
              </ToolbarItem>
              <ToolbarItem>
                <AccountMenu />
              </ToolbarItem>
            </ToolbarGroup>
          </ToolbarContent>
        </Toolbar>
      </MastheadContent>
    </Masthead>
  );
  return (
    <Page
      masthead={masthead}
      sidebar={<Navigation open={open} chosen={() => setOpen(!narrow)} />}
      onPageResize={() => undefined} // without it the frame does not look how wide it is
      mainContainerId={MAIN}
      skipToContent={
        <a className="c-skip" href={`#${MAIN}`}>
          {text.skipToContent}
        </a>
      }
    >
      <Suspense fallback={<Spinner aria-label={text.common.loading} />}>
        <Outlet />
      </Suspense>
      <Toasts />
      <LoginDialog />
    </Page>
  );
}

interface NavigationProps {
  open: boolean;
  /** Called when somebody has chosen a page, the present one too. */
  chosen: () => void;
}

function Navigation({ open, chosen }: NavigationProps) {
  const text = useText();
  const { pathname } = useLocation();
  const entry = ({ to, title }: PageLink) => (
    <NavItem key={to} isActive={to === pathname || pathname.startsWith(`${to}/`)}>
      <NavLink to={to} end={to === '/'} onClick={chosen}>
        {title}
      </NavLink>
    </NavItem>
  );
  return (
    <PageSidebar isSidebarOpen={open}>
      <PageSidebarBody>
        <Nav aria-label={text.navigation}>
          {pageGroups(text).map(({ title, pages }) =>
            title === '' ? (
              <NavList key={title}>{pages.map(entry)}</NavList>
            ) : (
              <NavGroup key={title} title={title}>
                {pages.map(entry)}
              </NavGroup>
            ),
          )}
        </Nav>
      </PageSidebarBody>
    </PageSidebar>
  );
}
