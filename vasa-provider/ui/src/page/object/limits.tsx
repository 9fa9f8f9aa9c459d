import { Form } from '@patternfly/react-core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Call, OperationKey } from '../../api/call';
import { send, sendTagged } from '../../api/send';
import { ActionButton } from '../../kit/action-button';
import { Commands } from '../../kit/commands';
import { TextField } from '../../kit/field';
import { ProblemAlert } from '../../kit/problem-alert';
import { QueryCard } from '../../kit/query-card';
import { toast } from '../../kit/toasts';
import { parseSize } from '../../text/format';
import { useFormat, useText } from '../../text/preferences';

/** Limits of I/O, as volumes and virtual machines have them; null for none. */
export interface Limits {
  maxIops: number | null;
  maxBandwidth: number | null;
}

interface Props<L extends Limits> {
  read: Call<L>;
  operation: OperationKey;
  /** The change to limits, for the edition that was read. */
  write: (limits: L, ifMatch: string | undefined) => Call<L>;
}

/** The limits of an object. A change takes effect at once. */
export function LimitsCard<L extends Limits>({ read, operation, write }: Props<L>) {
  const text = useText();
  const limits = useQuery({
    queryKey: ['limits', read.path],
    queryFn: ({ signal }) => sendTagged(read, signal),
  });
  return (
    <QueryCard title={text.object.limits} query={limits}>
      {({ value, tag }) => (
        <LimitsForm
          key={tag}
          now={value}
          change={(wanted) => write({ ...value, ...wanted }, tag ?? undefined)}
          operation={operation}
          path={read.path}
        />
      )}
    </QueryCard>
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
  const setting = useMutation({
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
          setting.mutate(wanted);
        }
      }}
    >
      {setting.isError && <ProblemAlert error={setting.error} />}
      <TextField
        label={t.maxIops}
        value={iops}
        set={setIops}
        inputMode="numeric"
        placeholder={t.noLimit}
      />
      <TextField
        label={t.maxBandwidth}
        value={bandwidth}
        set={setBandwidth}
        placeholder={t.noLimit}
        help={bytes === undefined ? t.noLimit : format.bytesPerSecond(bytes)}
        wrong={wanted === undefined ? t.limitsWrong : undefined}
      />
      <ActionButton
        operation={operation}
        type="submit"
        isLoading={setting.isPending}
        reason={wanted === undefined ? t.limitsWrong : undefined}
      >
        {text.common.save}
      </ActionButton>
      {(now.maxIops !== null || now.maxBandwidth !== null) && (
        <ActionButton
          operation={operation}
          variant="link"
          onClick={() => setting.mutate({ maxIops: null, maxBandwidth: null })}
        >
          {t.removeLimits}
        </ActionButton>
      )}
      <Commands call={wanted && change(wanted)} />
    </Form>
  );
}

/** The limits that were typed; absent if one of the texts is none. */
export function wantedOf(iops: string, bandwidth: string): Limits | undefined {
  const maxIops =
    iops.trim() === '' ? null : /^[1-9]\d{0,8}$/.test(iops.trim()) ? Number(iops) : undefined;
  const maxBandwidth = bandwidth.trim() === '' ? null : parseSize(bandwidth);
  return maxIops === undefined || maxBandwidth === undefined
    ? undefined
    : { maxIops, maxBandwidth };
}
