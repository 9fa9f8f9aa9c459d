import type { components } from '../../generated/api';

export type AlertTarget = components['schemas']['AlertTarget'];
type Sent = components['schemas']['AlertTargetDraft'];

/** A target of alerts as it is typed. */
export interface TargetDraft {
  name: string;
  kind: AlertTarget['kind'];
  enabled: boolean;
  severity: AlertTarget['severity'];
  /** Empty in a change: it stays. */
  url: string;
  server: string;
  security: NonNullable<AlertTarget['security']>;
  user: string;
  from: string;
  /** One recipient a line. */
  to: string;
  ca: string;
  /** Empty in a change: it stays. */
  secret: string;
}

export const NEW_TARGET: TargetDraft = {
  name: '',
  kind: 'webhook',
  enabled: true,
  severity: 'warning',
  url: '',
  server: '',
  security: 'starttls',
  user: '',
  from: '',
  to: '',
  ca: '',
  secret: '',
};

const SHORTEST_KEY = 16;

/** A target to be typed anew. What is secret is not there. */
export function targetDraft(target: AlertTarget): TargetDraft {
  return {
    ...NEW_TARGET,
    name: target.name,
    kind: target.kind,
    enabled: target.enabled,
    severity: target.severity,
    server: target.kind === 'mail' ? target.server : '',
    security: target.security ?? 'starttls',
    user: target.user ?? '',
    from: target.from ?? '',
    to: (target.to ?? []).join('\n'),
    ca: target.ca ?? '',
  };
}

/** What makes a target; absent while something is missing. */
export function newTarget(draft: TargetDraft): Sent | undefined {
  const { kind, enabled, severity } = draft;
  const name = draft.name.trim();
  const way = kind === 'webhook' ? newWebhook(draft) : newMail(draft);
  const ca = draft.ca.trim();
  return name === '' || way === undefined
    ? undefined
    : { name, kind, enabled, severity, ...way, ...(ca === '' ? {} : { ca }) };
}

function newWebhook({ url, secret }: TargetDraft): Sent | undefined {
  return isUrl(url) && secret.length >= SHORTEST_KEY ? { url: url.trim(), secret } : undefined;
}

function newMail(draft: TargetDraft): Sent | undefined {
  const server = draft.server.trim();
  const user = draft.user.trim();
  const from = draft.from.trim();
  const to = linesOf(draft.to);
  if (server === '' || from === '' || to.length === 0 || (user === '') !== (draft.secret === '')) {
    return undefined;
  }
  const { security, secret } = draft;
  return { server, security, from, to, ...(user === '' ? {} : { user, secret }) };
}

/** What makes a draft of a target: only what differs. Absent if nothing does, or something is missing. */
export function targetChange(draft: TargetDraft, now: AlertTarget): Sent | undefined {
  const name = draft.name.trim();
  const before = targetDraft(now);
  const mail = now.kind === 'mail';
  if (name === '' || (mail && (draft.from.trim() === '' || linesOf(draft.to).length === 0))) {
    return undefined;
  }
  if (!mail && draft.url.trim() !== '' && !isUrl(draft.url)) {
    return undefined;
  }
  const changed: Sent = {
    ...(name === before.name ? {} : { name }),
    ...(draft.enabled === before.enabled ? {} : { enabled: draft.enabled }),
    ...(draft.severity === before.severity ? {} : { severity: draft.severity }),
    ...(draft.ca.trim() === before.ca.trim() ? {} : { ca: draft.ca.trim() }),
    ...(draft.secret === '' ? {} : { secret: draft.secret }),
    ...(mail ? changedMail(draft, before) : draft.url.trim() === '' ? {} : { url: draft.url.trim() }),
  };
  return Object.keys(changed).length === 0 ? undefined : changed;
}

function changedMail(draft: TargetDraft, before: TargetDraft): Sent {
  const to = linesOf(draft.to);
  return {
    ...(draft.server.trim() === before.server ? {} : { server: draft.server.trim() }),
    ...(draft.security === before.security ? {} : { security: draft.security }),
    ...(draft.user.trim() === before.user ? {} : { user: draft.user.trim() }),
    ...(draft.from.trim() === before.from ? {} : { from: draft.from.trim() }),
    ...(to.join('\n') === before.to ? {} : { to }),
  };
}

function linesOf(text: string): string[] {
  return text.split(/[\n,;]/).map((line) => line.trim()).filter(Boolean);
}

function isUrl(text: string): boolean {
  return URL.canParse(text.trim()) && new URL(text.trim()).protocol === 'https:';
}
