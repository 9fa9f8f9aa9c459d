import { type OwnSession, session } from '../../api/session';
import { useStore } from '../../api/store';

/** The session of this page; absent while nobody is logged in. */
export function useOwn(): OwnSession | undefined {
  const now = useStore(session);
  return now.state === 'open' || now.state === 'ended' ? now.own : undefined;
}
