import { useQueryClient } from '@tanstack/react-query';
import { call } from '../../api/call';
import { send, sendTagged } from '../../api/send';
import { toast } from '../../kit/toasts';
import { useText } from '../../text/preferences';
import type { UserAccount } from './account-table';

/** Lets an account log in, or not; the message about it takes that back. */
export function useAccountLock({ id, name }: UserAccount): (enabled: boolean) => Promise<void> {
  const text = useText();
  const t = text.access.account;
  const queries = useQueryClient();

  async function set(enabled: boolean): Promise<void> {
    const path = { id };
    try {
      const { tag } = await sendTagged(call('GET /accounts/{id}', { path }));
      const body = { enabled };
      await send(call('PATCH /accounts/{id}', { path, body, ifMatch: tag ?? undefined }));
    } catch (e) {
      toast('danger', e instanceof Error ? e.message : String(e));
      return;
    }
    toast('success', enabled ? t.unlocked(name) : t.locked(name), () => void set(!enabled));
    void queries.invalidateQueries({ queryKey: ['accounts'] });
  }

  return set;
}
