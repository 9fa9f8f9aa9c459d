/** The texts of the page of settings, in English. */
export const en = {
  title: 'Settings',
  name: 'Setting',
  value: 'In force',
  origin: 'From',
  standard: 'Default',
  secret: 'is set, and never shown',
  changed: 'Only those that differ from their default',
  how: 'A setting is changed in the file application.yaml of the home, on the command line, or in the environment, and takes effect with the next start.',
};

/** The same in German. */
export const de: typeof en = {
  title: 'Einstellungen',
  name: 'Einstellung',
  value: 'Gilt jetzt',
  origin: 'Woher',
  standard: 'Vorgabe',
  secret: 'ist gesetzt und wird nie gezeigt',
  changed: 'Nur, was von der Vorgabe abweicht',
  how: 'Eine Einstellung wird in der Datei application.yaml des Home-Ordners, auf der Kommandozeile oder in der Umgebung geändert und gilt ab dem nächsten Start.',
};
