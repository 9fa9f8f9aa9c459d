import { call } from '../../api/call';
import { type PageCall, useRows } from '../../api/lists';
import { Picker } from '../../kit/picker';
import { useText } from '../../text/preferences';
import { type Host, hostName } from './host-table';

const HOSTS: PageCall<Host> = (query) => call('GET /hosts', { query });

interface Props {
  chosen: readonly string[];
  set: (ids: readonly string[]) => void;
}

/** A choice of hosts of administrators. */
export function HostPicker({ chosen, set }: Props) {
  const text = useText();
  const known = useRows(['hosts'], HOSTS).data?.rows ?? [];
  return (
    <Picker
      label={text.hosts.hosts}
      isRequired
      choices={known
        .filter(({ managedBy }) => managedBy === 'admin')
        .map((host) => ({ id: host.id, name: hostName(host) }))}
      chosen={chosen}
      set={set}
    />
  );
}
