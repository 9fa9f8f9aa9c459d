import type { components } from '../../generated/api';
import type { Group } from './protection';

type Body = components['schemas']['NewProtectionGroup'];

/** A protection group as it is typed. */
export interface GroupDraft {
  name: string;
  policy: string;
  vms: readonly string[];
  volumes: readonly string[];
}

/** The draft of a group that is there; without one, an empty one. */
export function groupDraft(group?: Group): GroupDraft {
  const members = group?.members ?? [];
  return {
    name: group?.name ?? '',
    policy: group?.policy ?? '',
    vms: members.flatMap(({ vm }) => (vm === null ? [] : [vm])),
    volumes: members.flatMap(({ volume }) => (volume === null ? [] : [volume])),
  };
}

/** What is sent of a draft; absent while it is not whole. */
export function groupBody({ name, policy, vms, volumes }: GroupDraft): Body | undefined {
  const members = [...vms.map((vm) => ({ vm })), ...volumes.map((volume) => ({ volume }))];
  return name.trim() === '' || policy === '' || members.length === 0
    ? undefined
    : { name, policy, members };
}
