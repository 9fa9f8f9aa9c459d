import { EmptyState, EmptyStateBody, PageSection } from '@patternfly/react-core';
import { Link, useLocation } from 'react-router';
import { useText } from '../text/preferences';

export function NotFoundPage() {
  const text = useText();
  const { pathname } = useLocation();
  return (
    <PageSection>
      <EmptyState titleText={text.notFound.title} headingLevel="h1">
        <EmptyStateBody>
          <p>{text.notFound.text(pathname)}</p>
          <Link to="/">{text.notFound.home}</Link>
        </EmptyStateBody>
      </EmptyState>
    </PageSection>
  );
}
