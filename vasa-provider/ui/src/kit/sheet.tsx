import { Button, Modal, ModalBody, ModalFooter, ModalHeader } from '@patternfly/react-core';
import { type ReactNode, useId } from 'react';
import { useText } from '../text/preferences';

interface Props {
  title: string;
  close: () => void;
  /** Buttons before the one that closes it. */
  actions?: ReactNode;
  children?: ReactNode;
}

/** A dialog that shows something. */
export function Sheet({ title, close, actions, children }: Props) {
  const text = useText();
  const id = useId();
  return (
    <Modal isOpen variant="medium" onClose={close} aria-labelledby={id}>
      <ModalHeader title={title} labelId={id} />
      <ModalBody>{children}</ModalBody>
      <ModalFooter>
        {actions}
        <Button variant="link" onClick={close}>
          {text.common.close}
        </Button>
      </ModalFooter>
    </Modal>
  );
}
