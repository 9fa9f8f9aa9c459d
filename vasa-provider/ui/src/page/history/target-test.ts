import { useMutation, useQueryClient } from '@tanstack/react-query';
import { call } from '../../api/call';
import { send } from '../../api/send';
import { toast } from '../../kit/toasts';
import { useText } from '../../text/preferences';
import type { AlertTarget } from './target-draft';

const PAUSE_MILLIS = 1_000;
const MOST_LOOKS = 30;

/** Sends a test to a target, and tells by a message what has become of it. */
export function useTargetTest() {
  const text = useText();
  const t = text.history.target;
  const queries = useQueryClient();
  return useMutation({
    mutationFn: arrived,
    onSuccess: ({ name, test }) => {
      if (test?.outcome === 'delivered') {
        toast('success', t.arrived(name));
      } else if (test?.outcome === 'failed') {
        toast('danger', t.notArrived(name, test.reason ?? ''));
      } else {
        toast('info', t.late(name));
      }
      void queries.invalidateQueries({ queryKey: ['alert-targets'] });
    },
    onError: (e) => toast('danger', e.message),
  });
}

/** The target once its test has ended, or when that lasts too long. */
async function arrived({ id }: AlertTarget): Promise<AlertTarget> {
  let target = await send(call('POST /alert-targets/{id}/test', { path: { id } }));
  for (let looks = 0; target.test?.outcome === 'waiting' && looks < MOST_LOOKS; looks++) {
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MILLIS));
    target = await send(call('GET /alert-targets/{id}', { path: { id } }));
  }
  return target;
}
