import { Checkbox, TextArea } from '@patternfly/react-core';
import { useId } from 'react';
import { ChoiceField, Field, TextField } from '../../kit/field';
import { useText } from '../../text/preferences';
import type { TargetDraft } from './target-draft';

interface Props {
  draft: TargetDraft;
  set: (change: Partial<TargetDraft>) => void;
  /** Whether it is there already: then its kind stays, and what is secret may be left out. */
  isThere: boolean;
}

/** The fields of a target of alerts. */
export function TargetFields({ draft, set, isThere }: Props) {
  const text = useText();
  const t = text.history.target;
  const id = useId();
  return (
    <>
      <TextField label={t.name} isRequired value={draft.name} set={(name) => set({ name })} />
      {!isThere && (
        <ChoiceField
          label={t.kind}
          value={draft.kind}
          set={(kind) => set({ kind: kind as TargetDraft['kind'] })}
          choices={[
            { value: 'webhook', label: t.kinds.webhook },
            { value: 'mail', label: t.kinds.mail },
          ]}
        />
      )}
      <ChoiceField
        label={t.severity}
        value={draft.severity}
        set={(severity) => set({ severity: severity as TargetDraft['severity'] })}
        choices={[
          { value: 'warning', label: text.history.severities.warning },
          { value: 'critical', label: text.history.severities.critical },
        ]}
      />
      <Checkbox
        id={id}
        label={t.enabled}
        isChecked={draft.enabled}
        onChange={(_, enabled) => set({ enabled })}
      />
      {draft.kind === 'webhook' ? (
        <WebhookFields draft={draft} set={set} isThere={isThere} />
      ) : (
        <MailFields draft={draft} set={set} isThere={isThere} />
      )}
      <LinesField label={t.ca} help={t.caHelp} value={draft.ca} set={(ca) => set({ ca })} />
    </>
  );
}

function WebhookFields({ draft, set, isThere }: Props) {
  const t = useText().history.target;
  return (
    <>
      <TextField
        label={t.url}
        help={isThere ? t.urlStays : t.urlHelp}
        isRequired={!isThere}
        value={draft.url}
        set={(url) => set({ url })}
      />
      <TextField
        label={t.key}
        help={isThere ? t.secretStays : t.keyHelp}
        isRequired={!isThere}
        type="password"
        autoComplete="new-password"
        value={draft.secret}
        set={(secret) => set({ secret })}
      />
    </>
  );
}

function MailFields({ draft, set, isThere }: Props) {
  const t = useText().history.target;
  return (
    <>
      <TextField
        label={t.mailServer}
        help={t.mailServerHelp}
        isRequired
        value={draft.server}
        set={(server) => set({ server })}
      />
      <ChoiceField
        label={t.security}
        value={draft.security}
        set={(security) => set({ security: security as TargetDraft['security'] })}
        choices={[
          { value: 'starttls', label: t.securities.starttls },
          { value: 'tls', label: t.securities.tls },
          { value: 'none', label: t.securities.none },
        ]}
      />
      <TextField label={t.from} isRequired value={draft.from} set={(from) => set({ from })} />
      <LinesField
        label={t.to}
        help={t.toHelp}
        isRequired
        value={draft.to}
        set={(to) => set({ to })}
      />
      <TextField label={t.user} value={draft.user} set={(user) => set({ user })} />
      <TextField
        label={t.password}
        help={isThere ? t.secretStays : undefined}
        type="password"
        autoComplete="new-password"
        value={draft.secret}
        set={(secret) => set({ secret })}
      />
    </>
  );
}

function LinesField(props: {
  label: string;
  help: string;
  isRequired?: boolean;
  value: string;
  set: (value: string) => void;
}) {
  const { label, help, isRequired = false, value, set } = props;
  return (
    <Field label={label} help={help} isRequired={isRequired}>
      {(names) => (
        <TextArea
          {...names}
          isRequired={isRequired}
          value={value}
          rows={2}
          onChange={(_, typed) => set(typed)}
        />
      )}
    </Field>
  );
}
