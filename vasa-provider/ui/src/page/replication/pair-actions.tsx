import { useState } from 'react';
import { ActionButton } from '../../kit/action-button';
import { useText } from '../../text/preferences';
import { AddPeer, OfferCode, ShownCode } from './peer-forms';
import type { Offer } from './replication';

/** The two ends of a pairing: a code is shown at one pool, and typed at the other. */
export function PairActions() {
  const t = useText().replication.peer;
  const [asking, setAsking] = useState<'offer' | 'add' | undefined>();
  const [offer, setOffer] = useState<Offer | undefined>();
  const close = () => setAsking(undefined);
  return (
    <>
      <ActionButton operation="POST /replication/codes" onClick={() => setAsking('offer')}>
        {t.offer}
      </ActionButton>
      <ActionButton
        operation="POST /replication/peers"
        variant="secondary"
        onClick={() => setAsking('add')}
      >
        {t.add}
      </ActionButton>
      {asking === 'offer' && <OfferCode offered={setOffer} close={close} />}
      {asking === 'add' && <AddPeer close={close} />}
      {offer !== undefined && <ShownCode offer={offer} close={() => setOffer(undefined)} />}
    </>
  );
}
