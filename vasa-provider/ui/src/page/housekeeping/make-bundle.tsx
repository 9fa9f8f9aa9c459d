import { useMutation } from '@tanstack/react-query';
import { call } from '../../api/call';
import { download } from '../../api/download';
import { ActionButton } from '../../kit/action-button';
import { toast } from '../../kit/toasts';
import { useText } from '../../text/preferences';

/** The button that has the provider make a support bundle, and saves it. */
export function MakeBundle() {
  const text = useText();
  const t = text.housekeeping.backup;
  const making = useMutation({
    mutationFn: () => download(call('GET /support-bundle'), 'application/zip'),
    onSuccess: () => toast('success', t.bundleSaved),
    onError: (e) => toast('danger', e.message),
  });
  return (
    <ActionButton
      operation="GET /support-bundle"
      isLoading={making.isPending}
      reason={making.isPending ? t.bundleUnderWay : undefined}
      onClick={() => making.mutate()}
    >
      {t.makeBundle}
    </ActionButton>
  );
}
