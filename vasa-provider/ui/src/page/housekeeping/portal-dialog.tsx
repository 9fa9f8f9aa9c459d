import { useQueryClient } from '@tanstack/react-query';
import { call } from '../../api/call';
import { send } from '../../api/send';
import { Ask } from '../../kit/ask';
import { toast } from '../../kit/toasts';
import { useText } from '../../text/preferences';
import type { Portal } from './portal-tab';

/** The question before a portal is taken out of service, or put back. */
export function AskAboutPortal(props: { drain: boolean; portal: Portal; close: () => void }) {
  const { drain, portal, close } = props;
  const text = useText();
  const t = text.housekeeping.portals;
  const queries = useQueryClient();
  const { number, address } = portal;
  const path = { number };
  const wanted = drain
    ? call('POST /iscsi/portals/{number}/drain', { path })
    : call('POST /iscsi/portals/{number}/undrain', { path });
  return (
    <Ask
      title={drain ? t.drainTitle(address) : `${t.undrain}: ${address}`}
      action={drain ? t.drain : t.undrain}
      danger={drain}
      wanted={wanted}
      run={() => send(wanted)}
      done={() => {
        toast('success', drain ? t.drained(address) : t.undrained(address));
        void queries.invalidateQueries({ queryKey: ['iscsi'] });
        close();
      }}
      close={close}
    >
      {drain && <p>{t.drainText}</p>}
    </Ask>
  );
}
