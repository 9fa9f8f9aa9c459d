/** The texts of the page of settings, in English. */
export const en = {
  title: 'Settings',
  name: 'Setting',
  value: 'In force',
  origin: 'From',
  standard: 'Default',
  secret: 'is set, and never shown',
  changed: 'Only those that differ from their default',
  how: 'A setting is changed on the command line, in the environment, or in config/application.yaml of the folder from which Coppice is started. It takes effect with the next start.',
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
  how: 'Eine Einstellung wird auf der Kommandozeile, in der Umgebung oder in config/application.yaml des Ordners geändert, in dem Coppice gestartet wird. Sie gilt ab dem nächsten Start.',
};
