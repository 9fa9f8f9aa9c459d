import { Button, Label } from '@patternfly/react-core';
import { useStore } from '../api/store';
import { live, newVersion } from '../live/live';
import { useFormat, useText } from '../text/preferences';

/** Whether changes come in, in words: what is shown may be old otherwise. */
export function LiveBadge() {
  const text = useText();
  const format = useFormat();
  const now = useStore(live);
  const version = useStore(newVersion);
  return (
    <span role="status" className="c-live" data-live={now.state}>
      {shown()}
      {version !== '' && (
        <>
          {text.live.newVersion(version)}
          <Button variant="link" isInline onClick={() => window.location.reload()}>
            {text.live.reload}
          </Button>
        </>
      )}
    </span>
  );

  function shown() {
    switch (now.state) {
      case 'connecting':
        return <Label variant="outline">{text.live.connecting}</Label>;
      case 'live':
        return (
          <Label color="green" status="success">
            {text.live.live}
          </Label>
        );
      case 'reconnecting':
        return <Label status="warning">{text.live.reconnecting(format.clock(now.since))}</Label>;
      case 'refused':
        return (
          <Label status="danger">
            <span lang="en">{text.live.refused(now.problem.detail)}</span>
          </Label>
        );
    }
  }
}
