import {
  Button,
  Card,
  CardBody,
  CardTitle,
  Form,
  FormGroup,
  FormHelperText,
  HelperText,
  HelperTextItem,
  TextInput,
} from '@patternfly/react-core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Call } from '../../api/call';
import type { OperationKey } from '../../api/call';
import { send, sendTagged } from '../../api/send';
import { ActionButton } from '../../kit/action-button';
import { Commands } from '../../kit/commands';
import { ProblemAlert } from '../../kit/problem-alert';
import { toast } from '../../kit/toasts';
import { parseSize } from '../../text/format';
import { useFormat, useText } from '../../text/preferences';

/** Limits of I/O, as volumes and virtual machines have them; null for none. */
export interface Limits {
  maxIops: number | null;
  maxBandwidth: number | null;
}

interface Props {
  read: Call<Limits>;
  operation: OperationKey;
  /** The change to limits, for the edition that was read. */
  write: (limits: Limits, ifMatch: string | undefined) => Call<Limits>;
}

/** The limits of an object. A change takes effect at once. */
export function LimitsCard({ read, operation, write }: Props) {
  const text = useText();
  const limits = useQuery({
    queryKey: ['limits', read.path],
    queryFn: ({ signal }) => sendTagged(read, signal),
  });
  return (
    <Card isFullHeight>
      <CardTitle component="h2">{text.object.limits}</CardTitle>
      <CardBody>
        {limits.isError && (
          <ProblemAlert error={limits.error} retry={() => void limits.refetch()} />
        )}
        {limits.data !== undefined && (
          <LimitsForm
            key={limits.data.tag}
            now={limits.data.value}
            change={(wanted) => write(wanted, limits.data.tag ?? undefined)}
            operation={operation}
            path={read.path}
          />
        )}
      </CardBody>
    </Card>
  );
}

interface FormProps {
  now: Limits;
  change: (wanted: Limits) => Call<Limits>;
  operation: OperationKey;
  path: string;
}

function LimitsForm({ now, change, operation, path }: FormProps) {
  const text = useText();
  const format = useFormat();
  const queries = useQueryClient();
  const t = text.object;
  const [iops, setIops] = useState(now.maxIops === null ? '' : String(now.maxIops));
  const [bandwidth, setBandwidth] = useState(
    now.maxBandwidth === null ? '' : String(now.maxBandwidth),
  );
  const wanted = wantedOf(iops, bandwidth);
  const send_ = useMutation({
    mutationFn: (limits: Limits) => send(change(limits)),
    onSuccess: () => {
      toast('success', t.limitsSet);
      void queries.invalidateQueries({ queryKey: ['limits', path] });
    },
  });
  const bytes = parseSize(bandwidth);
  return (
    <Form
      onSubmit={(event) => {
        event.preventDefault();
        if (wanted !== undefined) {
          send_.mutate(wanted);
        }
      }}
    >
      {send_.isError && <ProblemAlert error={send_.error} />}
      <FormGroup label={t.maxIops} fieldId="max-iops">
        <TextInput
          id="max-iops"
          inputMode="numeric"
          value={iops}
          placeholder={t.noLimit}
          onChange={(_, value) => setIops(value)}
        />
      </FormGroup>
      <FormGroup label={t.maxBandwidth} fieldId="max-bandwidth">
        <TextInput
          id="max-bandwidth"
          value={bandwidth}
          placeholder={t.noLimit}
          aria-describedby="max-bandwidth-help"
          onChange={(_, value) => setBandwidth(value)}
        />
        <FormHelperText>
          <HelperText id="max-bandwidth-help">
            <HelperTextItem variant={wanted === undefined ? 'error' : 'default'}>
              {wanted === undefined
                ? t.limitsWrong
                : bytes === undefined
                  ? t.noLimit
                  : format.bytesPerSecond(bytes)}
            </HelperTextItem>
          </HelperText>
        </FormHelperText>
      </FormGroup>
      <ActionButton
        operation={operation}
        type="submit"
        isLoading={send_.isPending}
        reason={wanted === undefined ? t.limitsWrong : undefined}
      >
        {text.common.save}
      </ActionButton>
      {(now.maxIops !== null || now.maxBandwidth !== null) && (
        <Button
          variant="link"
          onClick={() => send_.mutate({ maxIops: null, maxBandwidth: null })}
        >
          {t.removeLimits}
        </Button>
      )}
      <Commands call={wanted && change(wanted)} />
    </Form>
  );
}

/** The limits that were typed; absent if one of the texts is none. */
export function wantedOf(iops: string, bandwidth: string): Limits | undefined {
  const maxIops = iops.trim() === '' ? null : /^[1-9]\d{0,8}$/.test(iops.trim()) ? Number(iops) : undefined;
  const maxBandwidth = bandwidth.trim() === '' ? null : parseSize(bandwidth);
  return maxIops === undefined || maxBandwidth === undefined
    ? undefined
    : { maxIops, maxBandwidth };
}
