import { useMutation } from '@tanstack/react-query';
import { call } from '../../api/call';
import { send } from '../../api/send';
import { ActionButton } from '../../kit/action-button';
import { toast } from '../../kit/toasts';
import { useText } from '../../text/preferences';

/** The button that verifies the whole audit trail. */
export function AuditCheck() {
  const text = useText();
  const t = text.history;
  const check = useMutation({
    mutationFn: () => send(call('GET /audit/verification')),
    onSuccess: ({ intact, sentence }) =>
      toast(intact ? 'success' : 'danger', `${intact ? t.intact : t.notIntact} ${sentence}`),
    onError: (e) => toast('danger', e.message),
  });
  return (
    <ActionButton
      operation="GET /audit/verification"
      variant="secondary"
      isLoading={check.isPending}
      onClick={() => check.mutate()}
    >
      {t.verify}
    </ActionButton>
  );
}
