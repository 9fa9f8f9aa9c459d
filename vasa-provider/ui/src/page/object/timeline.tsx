import {
  Button,
  Card,
  CardBody,
  CardTitle,
  Content,
  FormGroup,
  Modal,
  ModalBody,
  ModalFooter,
  ModalHeader,
  TextInput,
} from '@patternfly/react-core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Call, OperationKey, Output } from '../../api/call';
import { sendJob } from '../../api/job';
import { send } from '../../api/send';
import { ActionButton } from '../../kit/action-button';
import { Commands } from '../../kit/commands';
import { ProblemAlert } from '../../kit/problem-alert';
import { toast } from '../../kit/toasts';
import { useFormat, useText } from '../../text/preferences';

type View = Output<'GET /vms/{id}/timeline'>;
type Job = Output<'GET /jobs/{id}'>;

interface Props {
  name: string;
  read: Call<View>;
  revert: { operation: OperationKey; call: (moment: string) => Call<Job> };
  clone: { operation: OperationKey; call: (moment: string, name: string) => Call };
  /** Whether the call that clones is a job. */
  cloneIsJob: boolean;
}

const SECOND = 1000;

/** The way back to any moment: a slider over all that is kept. */
export function TimelineCard(props: Props) {
  const text = useText();
  const t = text.object;
  const timeline = useQuery({
    queryKey: ['timeline', props.read.path],
    queryFn: ({ signal }) => send(props.read, signal),
  });
  const data = timeline.data;
  return (
    <Card className="c-wide">
      <CardTitle component="h2">{t.timeline}</CardTitle>
      <CardBody>
        {timeline.isError && (
          <ProblemAlert error={timeline.error} retry={() => void timeline.refetch()} />
        )}
        {data !== undefined &&
          (data.oldest === null || data.newest === null ? (
            <p>{t.noTimeline}</p>
          ) : (
            <Slider {...props} view={data} oldest={data.oldest} newest={data.newest} />
          ))}
      </CardBody>
    </Card>
  );
}

function Slider(props: Props & { view: View; oldest: string; newest: string }) {
  const { view, oldest, newest, name, revert, clone } = props;
  const text = useText();
  const format = useFormat();
  const t = text.object;
  const from = Date.parse(oldest);
  const to = Math.max(Date.parse(newest), from + SECOND);
  const [at, setAt] = useState(to);
  const [reverting, setReverting] = useState(false);
  const [cloning, setCloning] = useState(false);
  const moment = new Date(at).toISOString();
  return (
    <>
      <label htmlFor="moment">{t.moment(format.time(at))}</label>
      <input
        id="moment"
        type="range"
        className="c-slider"
        min={from}
        max={to}
        step={SECOND}
        value={at}
        aria-valuetext={format.time(at)}
        onChange={(event) => setAt(Number(event.target.value))}
      />
      <p className="c-quiet">
        {t.reach(format.time(from), format.time(to), view.points, format.bytes(view.kept))}
      </p>
      <ActionButton operation={clone.operation} onClick={() => setCloning(true)}>
        {t.cloneAt}
      </ActionButton>{' '}
      <ActionButton
        operation={revert.operation}
        variant="danger"
        onClick={() => setReverting(true)}
      >
        {t.revertTo}
      </ActionButton>
      {reverting && (
        <Revert
          name={name}
          at={format.time(at)}
          wanted={revert.call(moment)}
          undo={revert.call}
          close={() => setReverting(false)}
        />
      )}
      {cloning && (
        <Clone
          at={format.time(at)}
          wanted={(made) => clone.call(moment, made)}
          suggested={`${name} ${moment.slice(0, 19)}`.slice(0, 80)}
          isJob={props.cloneIsJob}
          close={() => setCloning(false)}
        />
      )}
    </>
  );
}

interface RevertProps {
  name: string;
  at: string;
  wanted: Call<Job>;
  undo: (moment: string) => Call<Job>;
  close: () => void;
}

function Revert({ name, at, wanted, undo, close }: RevertProps) {
  const text = useText();
  const t = text.object;
  const revert = useMutation({
    mutationFn: () => sendJob(wanted),
    onSuccess: (job) => {
      const before = job.result?.undo;
      toast(
        'success',
        t.reverted(name, at),
        before === null || before === undefined
          ? undefined
          : () =>
              void sendJob(undo(before)).then(
                () => toast('success', t.revertUndone(name)),
                (e: Error) => toast('danger', e.message),
              ),
      );
      close();
    },
  });
  return (
    <Modal isOpen variant="small" onClose={close} aria-labelledby="revert-title">
      <ModalHeader
        title={t.revertTitle(name, at)}
        labelId="revert-title"
        titleIconVariant="warning"
      />
      <ModalBody>
        {revert.isError && <ProblemAlert error={revert.error} />}
        <Content component="p">{t.revertText}</Content>
        <Commands call={wanted} />
      </ModalBody>
      <ModalFooter>
        <Button
          variant="danger"
          isLoading={revert.isPending}
          isDisabled={revert.isPending}
          onClick={() => revert.mutate()}
        >
          {t.revertTo}
        </Button>
        <Button variant="link" onClick={close}>
          {text.common.cancel}
        </Button>
      </ModalFooter>
    </Modal>
  );
}

interface CloneProps {
  at: string;
  wanted: (name: string) => Call;
  suggested: string;
  isJob: boolean;
  close: () => void;
}

function Clone({ at, wanted, suggested, isJob, close }: CloneProps) {
  const text = useText();
  const t = text.object;
  const [name, setName] = useState(suggested);
  const made = name.trim() === '' ? undefined : wanted(name);
  const clone = useMutation({
    mutationFn: async (it: Call) => {
      if (isJob) {
        await sendJob(it as Call<Job>);
      } else {
        await send(it);
      }
    },
    onSuccess: () => {
      toast('success', text.volumes.created_(name));
      close();
    },
  });
  return (
    <Modal isOpen variant="small" onClose={close} aria-labelledby="clone-title">
      <ModalHeader title={t.cloneTitle(at)} labelId="clone-title" />
      <ModalBody>
        {clone.isError && <ProblemAlert error={clone.error} />}
        <FormGroup label={text.volumes.name} fieldId="clone-name" isRequired>
          <TextInput
            id="clone-name"
            value={name}
            maxLength={80}
            onChange={(_, value) => setName(value)}
          />
        </FormGroup>
        <Commands call={made} />
      </ModalBody>
      <ModalFooter>
        <Button
          isLoading={clone.isPending}
          isDisabled={clone.isPending || made === undefined}
          onClick={() => made && clone.mutate(made)}
        >
          {t.cloneAt}
        </Button>
        <Button variant="link" onClick={close}>
          {text.common.cancel}
        </Button>
      </ModalFooter>
    </Modal>
  );
}
