import { Alert, AlertActionLink } from '@patternfly/react-core';
import { ProblemError, UNREACHABLE } from '../api/problem';
import { useText } from '../text/preferences';

/** Why something did not work, in the words of the server. */
export function ProblemAlert({ error, retry }: { error: unknown; retry?: () => void }) {
  const text = useText();
  const isOurs = error instanceof ProblemError;
  const title =
    isOurs && error.code === UNREACHABLE ? text.problem.unreachable : text.problem.title;
  return (
    <Alert
      isInline
      variant="danger"
      title={title}
      component="p"
      role="alert"
      actionLinks={
        retry && <AlertActionLink onClick={retry}>{text.problem.retry}</AlertActionLink>
      }
    >
      {/* The server speaks English, whatever the page does. */}
      <p lang="en">{error instanceof Error ? error.message : String(error)}</p>
      {isOurs && error.problem.traceId !== null && (
        <p className="c-quiet">{text.problem.trace(error.problem.traceId)}</p>
      )}
    </Alert>
  );
}
