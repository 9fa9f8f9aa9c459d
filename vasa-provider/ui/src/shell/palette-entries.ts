import { call, type Output } from '../api/call';
import { send } from '../api/send';
import type { Text } from '../text/en';
import { pageGroups } from './pages';

type Hit = Output<'GET /search'>['items'][number];
type Setting = Output<'GET /settings'>['items'][number];

/** Something that the palette leads to. */
export interface Entry {
  key: string;
  title: string;
  /** What it is, and why it was found. */
  kind: string;
  /** The address of its page, found out only when it is wanted. */
  address: () => Promise<string> | string;
}

const MOST_SETTINGS = 8;

/** Pages and actions whose names have a text; all of them for none. */
export function localEntries(asked: string, text: Text): Entry[] {
  const t = text.palette;
  const all = [
    ...pageGroups(text)
      .flatMap((group) => group.pages)
      .map(({ to, title }) => entry(`page ${to}`, title, t.page, to)),
    entry('create volume', text.volumes.create, t.action, '/volumes?do=create'),
    entry('create replication group', text.replication.create, t.action, '/replication?do=create'),
    entry('give disk', text.hosts.wizard.title, t.action, '/hosts?do=disk'),
  ];
  const wanted = asked.trim().toLowerCase();
  return all.filter(({ title }) => title.toLowerCase().includes(wanted));
}

/** Settings whose names have a text. */
export function settingEntries(asked: string, settings: readonly Setting[], text: Text): Entry[] {
  const wanted = asked.trim().toLowerCase();
  return settings
    .filter(({ name }) => wanted !== '' && name.toLowerCase().includes(wanted))
    .slice(0, MOST_SETTINGS)
    .map(({ name }) =>
      entry(`setting ${name}`, name, text.palette.setting, `/settings?q=${encodeURIComponent(name)}`),
    );
}

/** The way to all events about a text. */
export function eventEntry(asked: string, text: Text): Entry {
  return entry(
    'events',
    text.palette.events(asked.trim()),
    text.nav.history,
    `/events?q=${encodeURIComponent(asked.trim())}`,
  );
}

/** What the API found. */
export function hitEntry(hit: Hit, text: Text): Entry {
  const t = text.palette;
  const kind = t.types[hit.type];
  return {
    key: `${hit.type} ${hit.id}`,
    title: hit.name ?? hit.id,
    kind: hit.why === 'name' ? kind : `${kind}, ${t.by[hit.why]}`,
    address: () => addressOf(hit),
  };
}

function entry(key: string, title: string, kind: string, to: string): Entry {
  return { key, title, kind, address: () => to };
}

async function addressOf(hit: Hit): Promise<string> {
  const id = encodeURIComponent(hit.id);
  const named = `?q=${encodeURIComponent(hit.name ?? hit.id)}`;
  switch (hit.type) {
    case 'volume':
    case 'vvol':
      return `/volumes/${id}`;
    case 'snapshot': {
      const { vvol } = await send(call('GET /snapshots/{id}', { path: { id: hit.id } }));
      return vvol === null ? '/bin' : `/volumes/${vvol}${named}`;
    }
    case 'vm':
      return `/vms/${id}`;
    case 'container':
      return `/containers/${id}`;
    case 'policy':
      return `/policies/${id}`;
    case 'protectionPolicy':
      return `/protection/policies/${id}`;
    case 'protectionGroup':
      return `/protection?tab=groups&q=${encodeURIComponent(hit.name ?? hit.id)}`;
    case 'host':
    case 'hostGroup':
      return `/hosts${named}`;
  }
}
