import { EmptyState } from '@patternfly/react-core';
import type { ReactNode } from 'react';
import type { OperationKey } from '../api/call';
import { useRefusal } from './action-button';

/** What only some roles may read; the others are told so, and nothing is asked for. */
export function Allowed({ operation, children }: { operation: OperationKey; children: ReactNode }) {
  const refusal = useRefusal(operation);
  return refusal === undefined ? children : <EmptyState headingLevel="h2" titleText={refusal} />;
}
