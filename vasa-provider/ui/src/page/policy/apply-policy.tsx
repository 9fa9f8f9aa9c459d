import { Content } from '@patternfly/react-core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { call, type Output } from '../../api/call';
import { send } from '../../api/send';
import { Ask } from '../../kit/ask';
import { Sheet } from '../../kit/sheet';
import { useText } from '../../text/preferences';
import type { Policy } from './policy';

type Application = Output<'POST /policies/{id}/apply'>;

/** The question before the present edition of a policy is given to volumes with an older one. */
export function ApplyPolicy({ policy, close }: { policy: Policy; close: () => void }) {
  const text = useText();
  const queries = useQueryClient();
  const [done, setDone] = useState<Application | undefined>();
  const t = text.policies;
  const { id, name, generation } = policy;
  const wanted = call('POST /policies/{id}/apply', { path: { id }, query: { generation } });

  /** Call by call: each takes some hundred volumes. */
  async function run(): Promise<void> {
    let all: Application | undefined;
    do {
      const part = await send(wanted);
      all = all === undefined ? part : sumOf(all, part);
      if (part.applied === 0) {
        break; // the others were refused
      }
    } while (all.left > 0);
    setDone(all);
    void queries.invalidateQueries({ queryKey: ['volumes'] });
  }

  if (done !== undefined) {
    return (
      <Sheet title={t.applied(name)} close={close}>
        <Content component="p">{t.appliedTo(done.applied, done.refused, done.vvols)}</Content>
        <ul lang="en">
          {done.items.map((one) => (
            <li key={one.vvol}>
              {one.name ?? one.vvol}: {one.reason}
            </li>
          ))}
        </ul>
      </Sheet>
    );
  }
  return (
    <Ask
      title={t.applyTitle(name)}
      action={t.apply}
      wanted={wanted}
      run={run}
      done={() => undefined}
      close={close}
    >
      <Content component="p">{t.applyText}</Content>
    </Ask>
  );
}

function sumOf(before: Application, part: Application): Application {
  return {
    ...part,
    applied: before.applied + part.applied,
    refused: before.refused + part.refused,
    items: [...before.items, ...part.items],
  };
}
