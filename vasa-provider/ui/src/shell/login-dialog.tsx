import { Content, Modal, ModalBody, ModalHeader } from '@patternfly/react-core';
import { session } from '../api/session';
import { useStore } from '../api/store';
import { useText } from '../text/preferences';
import { LoginForm } from './login-form';

/** The login over a page whose session has ended. The page under it keeps what was typed. */
export function LoginDialog() {
  const text = useText();
  const now = useStore(session);
  return (
    <Modal isOpen={now.state === 'ended'} variant="small" aria-label={text.login.again}>
      <ModalHeader title={text.login.again} />
      <ModalBody>
        {now.state === 'ended' && (
          <>
            <Content component="p">{text.login.endedText}</Content>
            <Content component="p" lang="en">
              {now.why}
            </Content>
            <LoginForm name={now.own.name} />
          </>
        )}
      </ModalBody>
    </Modal>
  );
}
