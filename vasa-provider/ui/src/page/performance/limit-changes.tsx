import { Content } from '@patternfly/react-core';
import { Time } from '../../kit/figure';
import { useText } from '../../text/preferences';
import type { LimitChange } from './limit-marks';

/** What the marks of the charts stand for: who changed which limits, and when. */
export function LimitChanges({ changes }: { changes: readonly LimitChange[] }) {
  const text = useText();
  if (changes.length === 0) {
    return null;
  }
  return (
    <section aria-label={text.performance.marks}>
      <Content component="h3">{text.performance.marks}</Content>
      <ul data-marks={changes.length}>
        {changes.map(({ id, at, sentence, actor }) => (
          <li key={id}>
            <Time at={at} />: <span lang="en">{sentence}</span>
            {actor === null ? '' : ` (${actor.name})`}
          </li>
        ))}
      </ul>
    </section>
  );
}
