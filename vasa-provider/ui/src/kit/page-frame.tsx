import { Breadcrumb, BreadcrumbItem, PageSection, Title } from '@patternfly/react-core';
import type { ReactNode } from 'react';
import { Link } from 'react-router';

interface Props {
  title: string;
  /** The page that this one is reached from. */
  from?: { to: string; title: string };
  /** Below the title. */
  head?: ReactNode;
  children?: ReactNode;
}

/** The frame of a page: its title, and what it shows. */
export function PageFrame({ title, from, head, children }: Props) {
  return (
    <>
      <PageSection>
        {from !== undefined && (
          <Breadcrumb>
            <BreadcrumbItem
              render={({ className }) => (
                <Link className={className} to={from.to}>
                  {from.title}
                </Link>
              )}
            />
          </Breadcrumb>
        )}
        <Title headingLevel="h1">{title}</Title>
        {head !== undefined && <div className="c-head">{head}</div>}
      </PageSection>
      <PageSection isFilled>{children}</PageSection>
    </>
  );
}
