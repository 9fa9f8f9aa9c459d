import { Button, type ButtonProps, Tooltip } from '@patternfly/react-core';
import { accessTo } from '../api/access';
import type { OperationKey } from '../api/call';
import { session } from '../api/session';
import { useStore } from '../api/store';
import { useText } from '../text/preferences';

/** Why somebody may not call an operation; absent if it is allowed. */
export function useRefusal(operation: OperationKey): string | undefined {
  const text = useText();
  const now = useStore(session);
  if (now.state !== 'open' && now.state !== 'ended') {
    return undefined;
  }
  const { allowed, needed } = accessTo(now.own, operation);
  return allowed ? undefined : text.problem.notAllowed(needed, now.own.role);
}

/**
 * A button for an operation. Where the role does not suffice, or the object stands against it, the
 * button is there, and says why it does nothing.
 */
export function ActionButton({
  operation,
  reason,
  children,
  ...button
}: Omit<ButtonProps, 'isDisabled' | 'isAriaDisabled'> & {
  operation: OperationKey;
  reason?: string | undefined;
}) {
  const refusal = useRefusal(operation) ?? reason;
  if (refusal === undefined) {
    return <Button {...button}>{children}</Button>;
  }
  // Not `disabled`: the reason must be reachable by keyboard.
  return (
    <Tooltip content={refusal}>
      <Button {...button} isAriaDisabled onClick={() => undefined}>
        {children}
      </Button>
    </Tooltip>
  );
}
