import { Card, CardBody, CardTitle, Skeleton } from '@patternfly/react-core';
import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useText } from '../text/preferences';
import { ProblemAlert } from './problem-alert';

interface Props<T> {
  title: string;
  query: UseQueryResult<T>;
  wide?: boolean;
  /** Above what was read. */
  head?: ReactNode;
  children: (data: T) => ReactNode;
}

/** A card of something that is read from the API. */
export function QueryCard<T>({ title, query, wide = false, head, children }: Props<T>) {
  const text = useText();
  return (
    <Card isFullHeight className={wide ? 'c-wide' : undefined}>
      <CardTitle component="h2">
        <span className="c-cut" title={title}>
          {title}
        </span>
      </CardTitle>
      <CardBody>
        {head}
        {query.isError && <ProblemAlert error={query.error} retry={() => void query.refetch()} />}
        {query.data !== undefined
          ? children(query.data)
          : !query.isError && <Skeleton screenreaderText={text.common.loading} />}
      </CardBody>
    </Card>
  );
}
