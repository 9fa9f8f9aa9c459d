import { useState } from 'react';
import { useNavigate } from 'react-router';
import { call } from '../../api/call';
import { send } from '../../api/send';
import { ActionButton } from '../../kit/action-button';
import { useText } from '../../text/preferences';
import { DeleteVolumes } from '../delete-volumes';
import { HostWizard } from '../host/host-wizard';
import { NameIt } from '../object/name-it';
import { CreateGroup } from '../protection/group-forms';
import { nameOf, staysOf, type Vvol } from '../volumes-page';
import { EditVolume } from './edit-volume';

/** What can be done with a volume, and why not what cannot. */
export function VolumeActions({ volume }: { volume: Vvol }) {
  const text = useText();
  const navigate = useNavigate();
  const [asking, setAsking] = useState<'edit' | 'clone' | 'export' | 'protect' | 'delete' | undefined>();
  const close = () => setAsking(undefined);
  const t = text.volume;
  const name = nameOf(volume);
  const foreign = volume.plain ? undefined : t.ofVcenter;
  return (
    <>
      <ActionButton
        operation="PATCH /volumes/{id}"
        variant="secondary"
        reason={foreign}
        onClick={() => setAsking('edit')}
      >
        {t.edit}
      </ActionButton>{' '}
      <ActionButton operation="POST /volumes" variant="secondary" onClick={() => setAsking('clone')}>
        {t.clone}
      </ActionButton>{' '}
      <ActionButton
        operation="POST /exports"
        variant="secondary"
        reason={foreign ?? (volume.exported ? t.alreadyExported : undefined)}
        onClick={() => setAsking('export')}
      >
        {t.export}
      </ActionButton>{' '}
      <ActionButton
        operation="POST /protection-groups"
        variant="secondary"
        onClick={() => setAsking('protect')}
      >
        {t.protect}
      </ActionButton>{' '}
      <ActionButton
        operation="DELETE /volumes/{id}"
        variant="danger"
        reason={staysOf([volume], text)}
        onClick={() => setAsking('delete')}
      >
        {text.common.delete}
      </ActionButton>
      {asking === 'edit' && <EditVolume id={volume.id} name={name} close={close} />}
      {asking === 'clone' && (
        <NameIt
          title={t.cloneTitle(name)}
          action={t.clone}
          suggested={`${name} copy`}
          wanted={(made) => call('POST /volumes', { body: { name: made, source: volume.id } })}
          send={send}
          said={text.volumes.created_}
          close={close}
        />
      )}
      {asking === 'export' && <HostWizard disk={volume.id} close={close} />}
      {asking === 'protect' && <CreateGroup first={{ volumes: [volume.id] }} close={close} />}
      {asking === 'delete' && (
        <DeleteVolumes
          volumes={[volume]}
          done={() => void navigate('/volumes')}
          close={close}
        />
      )}
    </>
  );
}
