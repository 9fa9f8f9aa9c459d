import { useState } from 'react';
import { Link } from 'react-router';
import type { Output } from '../../api/call';
import { ActionButton } from '../../kit/action-button';
import { useText } from '../../text/preferences';
import { LimitDialog } from './limit-dialog';
import type { LoadObject } from './load-object';

type Neighbour = Output<'GET /volumes/{id}/diagnosis'>['neighbours'][number];

interface Props {
  list: readonly Neighbour[];
  /** The object that waits for them. */
  sufferer: LoadObject;
}

/** The volumes that are at work at the same time. Each can be given limits. */
export function Neighbours({ list, sufferer }: Props) {
  const text = useText();
  const [limited, setLimited] = useState<{ vvol: string; vm: string | null; name: string }>();
  const t = text.performance.neighbour;
  if (list.length === 0) {
    return null;
  }
  return (
    <>
      <h3>{text.object.neighbours}</h3>
      <ul className="c-neighbours">
        {list.map(({ vvol, vm, name, commandsPercent, bytesPercent }, i) => {
          const shown = name ?? vvol ?? text.common.unknown;
          return (
            <li key={vvol ?? i}>
              {vvol === null ? shown : (
                <Link className="c-cut" to={`/volumes/${vvol}`} title={shown}>
                  {shown}
                </Link>
              )}
              :{' '}
              {text.object.share(commandsPercent, bytesPercent)}{' '}
              <ActionButton
                operation="PUT /vvols/{id}/limits"
                variant="secondary"
                size="sm"
                aria-label={t.limitOf(shown)}
                reason={vvol === null ? t.hidden : undefined}
                onClick={() => vvol !== null && setLimited({ vvol, vm, name: shown })}
              >
                {t.limit}
              </ActionButton>
            </li>
          );
        })}
      </ul>
      {limited !== undefined && (
        <LimitDialog {...limited} sufferer={sufferer} close={() => setLimited(undefined)} />
      )}
    </>
  );
}
