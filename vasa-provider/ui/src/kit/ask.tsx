import { Button, Modal, ModalBody, ModalFooter, ModalHeader } from '@patternfly/react-core';
import { useMutation } from '@tanstack/react-query';
import { type ReactNode, useId } from 'react';
import type { Call } from '../api/call';
import { useText } from '../text/preferences';
import { Commands } from './commands';
import { ProblemAlert } from './problem-alert';

interface Props {
  title: string;
  /** What the button does, as its text; none: the title. */
  action?: string;
  /** Whether something is lost by it. */
  danger?: boolean;
  wide?: boolean;
  /** What is sent, to be shown as a command; absent while the form is not whole. */
  wanted?: Call | undefined;
  /** Whether the button does nothing yet. */
  waits?: boolean;
  run: () => Promise<unknown>;
  /** Whether the form itself says what came of an error; none: it says nothing of any. */
  tells?: (error: Error) => boolean;
  /** Called once it is done; none: `close`. */
  done?: () => void;
  close: () => void;
  /** What stays in sight above the buttons, however long the form is. */
  foot?: ReactNode;
  children?: ReactNode;
}

/** A dialog before something is done: the question or the form, the command, the button. */
export function Ask(props: Props) {
  const { title, action = title, danger = false, close } = props;
  const text = useText();
  const id = useId();
  const running = useMutation({ mutationFn: props.run, onSuccess: props.done ?? close });
  const waits = (props.waits ?? false) || running.isPending;
  return (
    <Modal
      isOpen
      variant={props.wide ? 'medium' : 'small'}
      onClose={close}
      aria-labelledby={`${id}-title`}
    >
      <ModalHeader
        title={title}
        labelId={`${id}-title`}
        {...(danger ? { titleIconVariant: 'warning' as const } : {})}
      />
      <ModalBody>
        {running.isError && props.tells?.(running.error) !== true && (
          <ProblemAlert error={running.error} />
        )}
        <form
          id={id}
          className="pf-v6-c-form"
          onSubmit={(event) => {
            event.preventDefault();
            if (!waits) {
              running.mutate();
            }
          }}
        >
          {props.children}
        </form>
        <Commands call={props.wanted} />
      </ModalBody>
      {props.foot !== undefined && <div className="c-foot">{props.foot}</div>}
      <ModalFooter>
        <Button
          form={id}
          type="submit"
          variant={danger ? 'danger' : 'primary'}
          isLoading={running.isPending}
          isDisabled={waits}
        >
          {action}
        </Button>
        <Button variant="link" onClick={close}>
          {text.common.cancel}
        </Button>
      </ModalFooter>
    </Modal>
  );
}
