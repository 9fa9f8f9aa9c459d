import { useState } from 'react';
import { call, type Output } from '../../api/call';
import { send } from '../../api/send';
import { Ask } from '../../kit/ask';
import { CopyLines } from '../../kit/copy-lines';
import { TextField } from '../../kit/field';
import { Sheet } from '../../kit/sheet';
import { toast } from '../../kit/toasts';
import { useText } from '../../text/preferences';
import { parseCount } from './count';
import { RoleFields } from './role-fields';
import { type Role, roleBody, type RoleDraft, rolesUpTo } from './roles';

export type Token = Output<'GET /tokens'>['items'][number];
export type IssuedToken = Output<'POST /tokens'>;

const USUAL_DAYS = '90';
const MOST_DAYS = 3650;
const USUAL_GRACE = '60';
const MOST_GRACE_MINUTES = 10_080;

interface Props {
  token: Token;
  close: () => void;
}

interface IssueProps {
  /** Called with the token and its text, which is told this once. */
  issued: (token: IssuedToken) => void;
  close: () => void;
}

/** The form that makes a token. */
export function NewToken({ own, issued, close }: IssueProps & { own: Role }) {
  const text = useText();
  const t = text.access;
  const roles = rolesUpTo(own);
  const [name, setName] = useState('');
  const [days, setDays] = useState(USUAL_DAYS);
  const [draft, setDraft] = useState<RoleDraft>({ role: roles[0]!, containers: [] });
  const expiresInDays = parseCount(days, 1, MOST_DAYS);
  const role = roleBody(draft);
  const wanted =
    name.trim() !== '' && expiresInDays !== undefined && role !== undefined
      ? call('POST /tokens', { body: { name: name.trim(), ...role, expiresInDays } })
      : undefined;
  return (
    <Ask
      title={t.token.create}
      wanted={wanted}
      waits={wanted === undefined}
      run={async () => issued(await send(wanted!))}
      close={close}
    >
      <TextField label={t.name} isRequired autoComplete="off" value={name} set={setName} />
      <RoleFields
        draft={draft}
        set={(change) => setDraft((before) => ({ ...before, ...change }))}
        roles={roles}
      />
      <TextField
        label={t.token.days}
        wrong={expiresInDays === undefined ? t.token.daysWrong : undefined}
        isRequired
        inputMode="numeric"
        value={days}
        set={setDays}
      />
    </Ask>
  );
}

/** The form that gives a token another text. */
export function RotateToken({ token, issued, close }: Props & IssueProps) {
  const text = useText();
  const t = text.access.token;
  const [days, setDays] = useState('');
  const [grace, setGrace] = useState(USUAL_GRACE);
  const expiresInDays = days.trim() === '' ? null : parseCount(days, 1, MOST_DAYS);
  const graceMinutes = parseCount(grace, 0, MOST_GRACE_MINUTES);
  const wanted =
    expiresInDays !== undefined && graceMinutes !== undefined
      ? call('POST /tokens/{id}/rotate', {
          path: { id: token.id },
          body: { expiresInDays, graceMinutes },
        })
      : undefined;
  return (
    <Ask
      title={t.rotateTitle(token.name)}
      action={t.rotate}
      wanted={wanted}
      waits={wanted === undefined}
      run={async () => issued(await send(wanted!))}
      close={close}
    >
      <p>{t.rotateText}</p>
      <TextField
        label={t.grace}
        wrong={graceMinutes === undefined ? t.graceWrong : undefined}
        isRequired
        inputMode="numeric"
        value={grace}
        set={setGrace}
      />
      <TextField
        label={t.days}
        help={t.daysKeep}
        wrong={expiresInDays === undefined ? t.daysWrong : undefined}
        inputMode="numeric"
        value={days}
        set={setDays}
      />
    </Ask>
  );
}

/** The question before a token is deleted. */
export function DeleteToken({ token, close }: Props) {
  const text = useText();
  const t = text.access.token;
  const wanted = call('DELETE /tokens/{id}', { path: { id: token.id } });
  return (
    <Ask
      title={t.deleteTitle(token.name)}
      action={text.common.delete}
      danger
      wanted={wanted}
      run={() => send(wanted)}
      done={() => {
        toast('success', t.deleted(token.name));
        close();
      }}
      close={close}
    >
      <p>{t.deleteText}</p>
    </Ask>
  );
}

/** The text of a token, which nothing shows again. */
export function Issued({ token, close }: { token: IssuedToken; close: () => void }) {
  const text = useText();
  const t = text.access.token;
  return (
    <Sheet title={t.issued(token.name)} close={close}>
      <p>{t.once}</p>
      <CopyLines label={t.text} lines={token.token} />
    </Sheet>
  );
}
