import { useQuery } from '@tanstack/react-query';
import { call, type Output } from '../../api/call';
import { send } from '../../api/send';
import { isOfLimits } from '../../live/changes';
import { keyOf, type LoadObject } from './load-object';
import { type Shown, spanOf } from './shown-state';
import { instant, spanText } from './span';

/** An event of new limits. */
export type LimitChange = Output<'GET /events'>['items'][number];

const MOST_EVENTS = 200;
const TOPICS = { volume: 'Volume', vm: 'Policy' } as const;

/** When limits of the objects that are shown were changed, and by whom: a chart marks it. */
export function useLimitChanges({ objects, fixed, window }: Shown) {
  const limited = objects.flatMap((one) => (isLimited(one) ? one : []));
  return useQuery({
    queryKey: [
      'limit-changes',
      fixed === undefined ? window : spanText(fixed),
      ...limited.map(keyOf),
    ],
    queryFn: async ({ signal }) => {
      const span = spanOf({ fixed, window }, Date.now());
      const found = await Promise.all(
        limited.map((one) => changesOf(one, instant(span.from), fixed && instant(fixed.to), signal)),
      );
      return found.flat().sort((a, b) => a.id - b.id);
    },
  });
}

type Limited = LoadObject & { kind: keyof typeof TOPICS };

function isLimited(object: LoadObject): object is Limited {
  return object.kind in TOPICS;
}

async function changesOf(
  { kind, id }: Limited,
  since: string,
  until: string | undefined,
  signal: AbortSignal,
): Promise<LimitChange[]> {
  const query = { object: id, type: TOPICS[kind], since, until, limit: MOST_EVENTS };
  const { items } = await send(call('GET /events', { query }), signal);
  return items.filter(({ message }) => isOfLimits(message));
}
