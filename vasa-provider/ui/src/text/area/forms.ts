/** Texts of parts of forms that several pages have. */
export const en = {
  duration: {
    unit: (label: string) => `Unit of: ${label}`,
    units: { second: 'seconds', minute: 'minutes', hour: 'hours', day: 'days' },
    wrong: 'Expected a whole number.',
  },
  picker: {
    search: (label: string) => `Search: ${label}`,
    hint: 'Part of a name',
    remove: (name: string) => `Remove ${name}`,
    cut: (shown: number, found: number) => `${shown} of ${found} are shown. Type more of the name.`,
    nothing: 'Nothing matches.',
    fewer: 'Show fewer',
    more: '${remaining} more',
  },
  edit: {
    changed: 'Somebody else has changed it meanwhile.',
    kept:
      'What you typed is still here. All else is as it is now. Look at both, then save again.',
    preview: 'What this would do',
    field: 'Field',
    before: 'Before',
    now: 'Now',
    edit: 'Edit',
    description: 'Description',
    nameWrong: 'A name is needed.',
    created: (name: string) => `${name} was created.`,
    changed_: (name: string) => `${name} was changed.`,
    deleted: (name: string) => `${name} was deleted.`,
    deleteTitle: (name: string) => `Delete ${name}?`,
  },
};

export const de: typeof en = {
  duration: {
    unit: (label) => `Einheit von: ${label}`,
    units: { second: 'Sekunden', minute: 'Minuten', hour: 'Stunden', day: 'Tage' },
    wrong: 'Hier muss eine ganze Zahl stehen.',
  },
  picker: {
    search: (label) => `Suchen: ${label}`,
    hint: 'Teil eines Namens',
    remove: (name) => `${name} entfernen`,
    cut: (shown, found) => `${shown} von ${found} sind zu sehen. Mehr vom Namen eingeben.`,
    nothing: 'Nichts passt.',
    fewer: 'Weniger zeigen',
    more: '${remaining} weitere',
  },
  edit: {
    changed: 'Jemand anders hat es inzwischen geändert.',
    kept:
      'Die Eingaben sind noch da. Alles Übrige steht da, wie es jetzt ist. Bitte beides ansehen, dann noch einmal speichern.',
    preview: 'Was das bewirken würde',
    field: 'Feld',
    before: 'Vorher',
    now: 'Jetzt',
    edit: 'Ändern',
    description: 'Beschreibung',
    nameWrong: 'Ein Name muss sein.',
    created: (name) => `${name} wurde angelegt.`,
    changed_: (name) => `${name} wurde geändert.`,
    deleted: (name) => `${name} wurde gelöscht.`,
    deleteTitle: (name) => `${name} löschen?`,
  },
};
