import { Content, Title } from '@patternfly/react-core';
import { useState } from 'react';
import { call, type Call } from '../../api/call';
import { send, type Tagged } from '../../api/send';
import { word } from '../../command/shell';
import { Ask } from '../../kit/ask';
import { CopyLines } from '../../kit/copy-lines';
import { EditForm } from '../../kit/edit-form';
import { TextField } from '../../kit/field';
import { Sheet } from '../../kit/sheet';
import { toast } from '../../kit/toasts';
import { useFormat, useText } from '../../text/preferences';
import { isCode } from './pairing';
import { type Offer, type Peer, useReadAgain } from './replication';

interface OfferProps {
  /** Called with the code, which is told this once. */
  offered: (offer: Offer) => void;
  close: () => void;
}

/** The question before a code is made. */
export function OfferCode({ offered, close }: OfferProps) {
  const t = useText().replication.peer;
  const wanted = call('POST /replication/codes');
  return (
    <Ask
      title={t.offer}
      wanted={wanted}
      run={async () => offered(await send(wanted))}
      close={close}
    >
      <Content component="p">{t.offerText}</Content>
    </Ask>
  );
}

/** A code and what belongs to it, which nothing shows again. */
export function ShownCode({ offer, close }: { offer: Offer; close: () => void }) {
  const t = useText().replication.peer;
  const format = useFormat();
  const { code, address, validUntil } = offer;
  const line = ['./coppice', 'peer', 'add', address, '--code', code].map(word).join(' ');
  return (
    <Sheet title={t.offered} close={close}>
      <p>{t.offeredText(format.time(validUntil))}</p>
      {[
        [t.address, address],
        [t.code, code],
        [t.command, line],
      ].map(([label, lines]) => (
        <section key={label} aria-label={label}>
          <Title headingLevel="h2" size="md">
            {label}
          </Title>
          <CopyLines label={label!} lines={lines!} />
        </section>
      ))}
    </Sheet>
  );
}

/** The form at which the code of another pool is typed. */
export function AddPeer({ close }: { close: () => void }) {
  const t = useText().replication.peer;
  const readAgain = useReadAgain();
  const [address, setAddress] = useState('');
  const [code, setCode] = useState('');
  const wanted =
    address.trim() !== '' && isCode(code)
      ? call('POST /replication/peers', { body: { address: address.trim(), code: code.trim() } })
      : undefined;
  return (
    <Ask
      title={t.add}
      wanted={wanted}
      waits={wanted === undefined}
      run={async () => {
        if (wanted !== undefined) {
          toast('success', t.added((await send(wanted)).name));
        }
      }}
      done={() => {
        readAgain();
        close();
      }}
      close={close}
    >
      <Content component="p">{t.addText}</Content>
      <TextField
        label={t.addressOf}
        isRequired
        autoFocus
        autoComplete="off"
        value={address}
        set={setAddress}
      />
      <TextField
        label={t.codeOf}
        isRequired
        autoComplete="off"
        wrong={code.trim() === '' || isCode(code) ? undefined : t.codeWrong}
        value={code}
        set={setCode}
      />
    </Ask>
  );
}

interface Props {
  peer: Peer;
  close: () => void;
}

interface AddressDraft {
  address: string;
}

/** The form that changes where a peer is found. */
export function ChangePeer({ peer, close }: Props) {
  const text = useText();
  const t = text.replication.peer;
  const readAgain = useReadAgain();
  const { id, name } = peer;
  return (
    <EditForm
      title={t.changeTitle(name)}
      read={call('GET /replication/peers/{id}', { path: { id } })}
      draftOf={({ address }: Peer): AddressDraft => ({ address })}
      change={changeOf}
      compared={[{ label: t.address, shown: ({ address }) => address }]}
      saved={() => {
        toast('success', text.forms.edit.changed_(name));
        readAgain();
      }}
      close={close}
    >
      {(draft: AddressDraft, set: (change: Partial<AddressDraft>) => void) => (
        <TextField
          label={t.addressOfLinks}
          help={t.addressHelp}
          isRequired
          autoComplete="off"
          value={draft.address}
          set={(address) => set({ address })}
        />
      )}
    </EditForm>
  );
}

function changeOf(draft: AddressDraft, base: Tagged<Peer>): Call | undefined {
  const address = draft.address.trim();
  return address === '' || address === base.value.address
    ? undefined
    : call('PATCH /replication/peers/{id}', {
        path: { id: base.value.id },
        body: { address },
        ifMatch: base.tag ?? undefined,
      });
}

/** The question before a pairing ends. */
export function RemovePeer({ peer, groups, close }: Props & { groups: number }) {
  const t = useText().replication.peer;
  const readAgain = useReadAgain();
  const { id, name } = peer;
  const wanted = call('DELETE /replication/peers/{id}', { path: { id } });
  return (
    <Ask
      title={t.removeTitle(name)}
      action={t.remove}
      danger
      wanted={wanted}
      run={() => send(wanted)}
      done={() => {
        toast('success', t.removed(name));
        readAgain();
        close();
      }}
      close={close}
    >
      {groups > 0 && <Content component="p">{t.removeGroups(groups)}</Content>}
      <Content component="p">{t.removeText}</Content>
    </Ask>
  );
}
