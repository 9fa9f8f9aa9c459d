import type { components } from '../../generated/api';
import { LinesByForm } from '../../kit/lines-by-form';
import { useText } from '../../text/preferences';

const SYSTEMS = { linux: 'Linux', esxi: 'ESXi', proxmox: 'Proxmox', windows: 'Windows' } as const;

/** The lines by which a host attaches an export, for each system. */
export function AttachLines({ commands }: { commands: components['schemas']['AttachCommands'] }) {
  const text = useText();
  const forms = Object.entries(SYSTEMS).map(([key, title]) => ({
    key,
    title,
    lines: commands[key as keyof typeof SYSTEMS].join('\n'),
  }));
  return <LinesByForm label={text.hosts.lines} forms={forms} attribute="data-system" />;
}
