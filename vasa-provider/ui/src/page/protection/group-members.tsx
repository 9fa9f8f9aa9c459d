import {
  Button,
  Content,
  Modal,
  ModalBody,
  ModalFooter,
  ModalHeader,
  Title,
} from '@patternfly/react-core';
import { Link } from 'react-router';
import { useRefusal } from '../../kit/action-button';
import { useText } from '../../text/preferences';
import { useMachines, useVolumeNames } from './members';
import type { Group } from './protection';

const TITLE = 'members-title';

/** The members of a group, each a link to its page, and those that have no continuous points. */
export function GroupMembers({ group, close }: { group: Group; close: () => void }) {
  const text = useText();
  const t = text.protection;
  const names = useVolumeNames();
  const refusal = useRefusal('GET /vms');
  const { members, notContinuous } = group;
  return (
    <Modal isOpen variant="small" onClose={close} aria-labelledby={TITLE}>
      <ModalHeader title={t.membersOf(group.name)} labelId={TITLE} />
      <ModalBody>
        <Content component="ul">
          {members.map(({ vm, volume }) =>
            vm === null ? (
              <VolumeLine key={volume} id={volume ?? ''} names={names} />
            ) : refusal === undefined ? (
              <MachineLine key={vm} id={vm} />
            ) : (
              <li key={vm}>{vm}</li>
            ),
          )}
        </Content>
        {notContinuous.length > 0 && (
          <>
            <Title headingLevel="h2" size="md">
              {t.notContinuous}
            </Title>
            <Content component="ul">
              {notContinuous.map(({ volume, reason }) => (
                <VolumeLine key={volume} id={volume} names={names} reason={reason} />
              ))}
            </Content>
          </>
        )}
      </ModalBody>
      <ModalFooter>
        <Button onClick={close}>{text.common.close}</Button>
      </ModalFooter>
    </Modal>
  );
}

interface VolumeProps {
  id: string;
  names: ReadonlyMap<string, string>;
  reason?: string;
}

export function VolumeLine({ id, names, reason }: VolumeProps) {
  return (
    <li className="c-wrap">
      <Link to={`/volumes/${id}`}>{names.get(id) ?? id}</Link>
      {reason !== undefined && <span lang="en">: {reason}</span>}
    </li>
  );
}

export function MachineLine({ id }: { id: string }) {
  const name = useMachines().data?.rows.find((one) => one.id === id)?.name;
  return (
    <li className="c-wrap">
      <Link to={`/vms/${encodeURIComponent(id)}`}>{name ?? id}</Link>
    </li>
  );
}
