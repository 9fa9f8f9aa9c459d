import { Card, CardBody, CardTitle, Skeleton } from '@patternfly/react-core';
import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useText } from '../text/preferences';
import { ProblemAlert } from './problem-alert';

interface Props<T> {
  title: string;
  query: UseQueryResult<T>;
  wide?: boolean;
  children: (data: T) => ReactNode;
}

/** A card of something that is read from the API. */
export function QueryCard<T>({ title, query, wide = false, children }: Props<T>) {
  const text = useText();
  return (
    <Card isFullHeight className={wide ? 'c-wide' : undefined}>
      <CardTitle component="h2">{title}</CardTitle>
      <CardBody>
        {query.isError && <ProblemAlert error={query.error} retry={() => void query.refetch()} />}
        {query.data !== undefined
          ? children(query.data)
          : !query.isError && <Skeleton screenreaderText={text.common.loading} />}
      </CardBody>
    </Card>
  );
}
