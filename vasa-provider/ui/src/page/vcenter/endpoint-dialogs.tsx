import { useQueryClient } from '@tanstack/react-query';
import { call, type Call } from '../../api/call';
import { send } from '../../api/send';
import { Ask } from '../../kit/ask';
import { toast } from '../../kit/toasts';
import type { Text } from '../../text/en';
import { useText } from '../../text/preferences';

/** What is asked before protocol endpoints are changed. */
export type EndpointQuestion =
  | { what: 'add' }
  | { what: 'retire' | 'restore' | 'delete'; lun: number };

interface Change {
  title: string;
  action: string;
  danger: boolean;
  explained: string | undefined;
  wanted: Call;
  done: string;
}

/** The question before protocol endpoints are changed. */
export function AskAboutEndpoint(props: { question: EndpointQuestion; close: () => void }) {
  const { question, close } = props;
  const text = useText();
  const queries = useQueryClient();
  const { title, action, danger, explained, wanted, done } = changeOf(question, text);
  return (
    <Ask
      title={title}
      action={action}
      danger={danger}
      wanted={wanted}
      run={() => send(wanted)}
      done={() => {
        toast('success', done);
        void queries.invalidateQueries({ queryKey: ['protocol-endpoints'] });
        close();
      }}
      close={close}
    >
      {explained !== undefined && <p>{explained}</p>}
    </Ask>
  );
}

function changeOf(question: EndpointQuestion, text: Text): Change {
  const t = text.vcenters;
  if (question.what === 'add') {
    return {
      title: t.add,
      action: t.add,
      danger: false,
      explained: t.addText,
      wanted: call('POST /protocol-endpoints'),
      done: t.added,
    };
  }
  const { lun } = question;
  const path = { lun };
  switch (question.what) {
    case 'retire':
      return {
        title: t.retireTitle(lun),
        action: t.retire,
        danger: true,
        explained: t.retireText,
        wanted: call('POST /protocol-endpoints/{lun}/retire', { path }),
        done: t.isRetired(lun),
      };
    case 'restore':
      return {
        title: `${t.restore}: ${t.lun} ${lun}`,
        action: t.restore,
        danger: false,
        explained: undefined,
        wanted: call('POST /protocol-endpoints/{lun}/restore', { path }),
        done: t.restored(lun),
      };
    case 'delete':
      return {
        title: t.deleteTitle(lun),
        action: text.common.delete,
        danger: true,
        explained: t.deleteText,
        wanted: call('DELETE /protocol-endpoints/{lun}', { path }),
        done: t.deleted(lun),
      };
  }
}
