import { Content } from '@patternfly/react-core';
import { call } from '../../api/call';
import { send } from '../../api/send';
import { Ask } from '../../kit/ask';
import { toast } from '../../kit/toasts';
import { useText } from '../../text/preferences';
import type { Container } from './container';

interface Props {
  container: Container;
  /** Called once it is deleted. */
  gone: () => void;
  close: () => void;
}

/** The question before a container is deleted. */
export function DeleteContainer({ container, gone, close }: Props) {
  const text = useText();
  const { id, name } = container;
  const wanted = call('DELETE /containers/{id}', { path: { id } });
  return (
    <Ask
      title={text.forms.edit.deleteTitle(name)}
      action={text.common.delete}
      danger
      wanted={wanted}
      run={() => send(wanted)}
      done={() => {
        toast('success', text.forms.edit.deleted(name));
        gone();
      }}
      close={close}
    >
      <Content component="p">{text.containers.deleteText}</Content>
    </Ask>
  );
}
