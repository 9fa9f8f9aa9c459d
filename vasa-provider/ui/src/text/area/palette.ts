/** The texts of the palette, in English. */
export const en = {
  open: 'Find (Ctrl-K)',
  field: 'A name, IQN, UUID, NAA, LUN, setting or action',
  found: 'What was found',
  page: 'Page',
  action: 'Action',
  setting: 'Setting',
  events: (text: string) => `Events about “${text}”`,
  types: {
    volume: 'Volume',
    vvol: 'vVol',
    snapshot: 'Snapshot',
    vm: 'Virtual machine',
    container: 'Container',
    policy: 'Policy',
    protectionPolicy: 'Protection policy',
    protectionGroup: 'Protection group',
    host: 'Host',
    hostGroup: 'Host group',
  },
  by: {
    name: 'by its name',
    id: 'by its id',
    naa: 'by its NAA identifier',
    lun: 'by its LUN',
    initiator: 'by its initiator',
  },
};

/** The same in German. */
export const de: typeof en = {
  open: 'Finden (Strg-K)',
  field: 'Ein Name, IQN, UUID, NAA, LUN, eine Einstellung oder Aktion',
  found: 'Gefunden',
  page: 'Seite',
  action: 'Aktion',
  setting: 'Einstellung',
  events: (text) => `Ereignisse zu „${text}“`,
  types: {
    volume: 'Volume',
    vvol: 'vVol',
    snapshot: 'Snapshot',
    vm: 'Virtuelle Maschine',
    container: 'Container',
    policy: 'Richtlinie',
    protectionPolicy: 'Schutzrichtlinie',
    protectionGroup: 'Schutzgruppe',
    host: 'Host',
    hostGroup: 'Hostgruppe',
  },
  by: {
    name: 'am Namen',
    id: 'an der ID',
    naa: 'an der NAA-Kennung',
    lun: 'an der LUN',
    initiator: 'am Initiator',
  },
};
