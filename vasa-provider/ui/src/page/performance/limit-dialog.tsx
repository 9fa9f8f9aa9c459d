import { Alert, Skeleton } from '@patternfly/react-core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useNavigate } from 'react-router';
import { sendTagged } from '../../api/send';
import { Ask } from '../../kit/ask';
import { isChangedMeanwhile } from '../../kit/edit-conflict';
import { ChoiceField, TextField } from '../../kit/field';
import { ProblemAlert } from '../../kit/problem-alert';
import { toast } from '../../kit/toasts';
import { parseSize } from '../../text/format';
import { useFormat, useText } from '../../text/preferences';
import { type Limits, wantedOf } from '../object/limits';
import { type AnyLimits, limitsText, type Target, vmTarget, volumeTarget } from './limit-target';
import { type LoadObject, sideBySide } from './load-object';

const VOLUME = 'volume';
const VM = 'vm';

interface Props {
  vvol: string;
  /** The virtual machine that the volume belongs to; null for none. */
  vm: string | null;
  name: string;
  sufferer: LoadObject;
  close: () => void;
}

/**
 * Sets limits of a volume that another object waits for, or of its virtual machine. Both are shown
 * side by side then, so that one sees whether it helps.
 */
export function LimitDialog({ vvol, vm, name, sufferer, close }: Props) {
  const text = useText();
  const [kind, setKind] = useState<string>(VOLUME);
  const t = text.performance.neighbour;
  const target = kind === VM && vm !== null ? vmTarget(vm) : volumeTarget(vvol);
  return (
    <LimitForm key={target.read.path} target={target} name={name} sufferer={sufferer} close={close}>
      {vm === null ? (
        <p>{t.override}</p>
      ) : (
        <ChoiceField
          label={t.of}
          value={kind}
          set={setKind}
          choices={[
            { value: VOLUME, label: t.volume(name) },
            { value: VM, label: t.vm },
          ]}
          help={kind === VM ? t.help : t.override}
        />
      )}
    </LimitForm>
  );
}

interface FormProps {
  target: Target;
  name: string;
  sufferer: LoadObject;
  close: () => void;
  children: ReactNode;
}

/** What somebody has typed; absent where the field still shows what was read. */
interface Typed {
  iops?: string;
  bandwidth?: string;
}

function LimitForm({ target, name, sufferer, close, children }: FormProps) {
  const text = useText();
  const format = useFormat();
  const navigate = useNavigate();
  const limiting = useLimiting(target, name);
  const [typed, setTyped] = useState<Typed>({});
  const t = text.performance.neighbour;
  const now = limiting.query.data?.value;
  const iops = typed.iops ?? String(now?.maxIops ?? '');
  const bandwidth = typed.bandwidth ?? String(now?.maxBandwidth ?? '');
  const typedLimits = wantedOf(iops, bandwidth);
  const wanted = now && typedLimits && changed(now, typed, typedLimits);
  const bytes = parseSize(bandwidth);
  return (
    <Ask
      title={t.limitOf(name)}
      waits={wanted === undefined || Object.keys(typed).length === 0}
      wanted={wanted && target.write(wanted, limiting.query.data?.tag ?? undefined)}
      run={() => limiting.set(wanted!)}
      tells={isChangedMeanwhile}
      done={() => {
        close();
        void navigate(sideBySide([sufferer, target.object]));
      }}
      close={close}
    >
      {children}
      {limiting.query.isError && <ProblemAlert error={limiting.query.error} />}
      {now === undefined ? (
        !limiting.query.isError && <Skeleton screenreaderText={text.common.loading} />
      ) : (
        <p>{t.now(limitsText(now, text, format))}</p>
      )}
      {limiting.isChanged && now !== undefined && (
        <Alert
          isInline
          variant="warning"
          component="p"
          title={t.meanwhile(limitsText(now, text, format))}
        />
      )}
      <TextField
        label={text.object.maxIops}
        inputMode="numeric"
        value={iops}
        placeholder={text.object.noLimit}
        set={(value) => setTyped({ ...typed, iops: value })}
        wrong={wantedOf(iops, '') === undefined ? text.object.limitsWrong : undefined}
      />
      <TextField
        label={text.object.maxBandwidth}
        value={bandwidth}
        placeholder={text.object.noLimit}
        set={(value) => setTyped({ ...typed, bandwidth: value })}
        help={bytes === undefined ? text.object.noLimit : format.bytesPerSecond(bytes)}
        wrong={wantedOf('', bandwidth) === undefined ? text.object.limitsWrong : undefined}
      />
    </Ask>
  );
}

/** The limits as they are, but for those that were typed. */
function changed(now: AnyLimits, typed: Typed, limits: Limits): AnyLimits {
  return {
    ...now,
    ...(typed.iops === undefined ? {} : { maxIops: limits.maxIops }),
    ...(typed.bandwidth === undefined ? {} : { maxBandwidth: limits.maxBandwidth }),
  };
}

/** The limits of an object as they are, and what sets others. */
function useLimiting(target: Target, name: string) {
  const text = useText();
  const queries = useQueryClient();
  const [isChanged, setChanged] = useState(false);
  const t = text.performance.neighbour;
  const query = useQuery({
    queryKey: ['limits', target.read.path],
    staleTime: 0, // the tag must be that of now
    queryFn: ({ signal }) => sendTagged(target.read, signal),
  });

  async function set(wanted: AnyLimits): Promise<void> {
    const before = query.data!;
    try {
      const done = await sendTagged(target.write(wanted, before.tag ?? undefined));
      toast('success', t.set(name), () => void undo(before.value, done.tag));
    } catch (e) {
      if (isChangedMeanwhile(e)) {
        await query.refetch();
        setChanged(true);
      }
      throw e;
    }
    void queries.invalidateQueries({ queryKey: ['limits', target.read.path] });
  }

  async function undo(before: AnyLimits, tag: string | null): Promise<void> {
    try {
      await sendTagged(target.write(before, tag ?? undefined));
      toast('success', t.undone(name));
    } catch (e) {
      toast('danger', e instanceof Error ? e.message : String(e));
    }
    void queries.invalidateQueries({ queryKey: ['limits', target.read.path] });
  }

  return { query, set, isChanged };
}
