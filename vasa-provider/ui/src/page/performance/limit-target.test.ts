import { describe, expect, it } from 'vitest';
import { coppiceOf } from '../../command/coppice';
import { en } from '../../text/en';
import { Format } from '../../text/format';
import { limitsText, vmTarget, volumeTarget } from './limit-target';

const ID = '3f2b8c1e-5d47-4a0e-9b61-7c2d90e4f815';

describe('limits', () => {
  it('of a volume leave its weight as it is', () => {
    const change = volumeTarget(ID).write({ maxIops: 500, maxBandwidth: null, weight: 300 }, '"a"');
    expect(change).toMatchObject({
      path: `/vvols/${ID}/limits`,
      body: { maxIops: 500, maxBandwidth: null, weight: 300 },
      ifMatch: '"a"',
    });
    expect(coppiceOf(change)).toBe(`./coppice vvol set-limits ${ID} --max-iops 500 --weight 300`);
  });

  it('of a virtual machine have no weight', () => {
    const change = vmTarget('5023').write({ maxIops: null, maxBandwidth: 4096 }, undefined);
    expect(change.body).toEqual({ maxIops: null, maxBandwidth: 4096 });
    expect(coppiceOf(change)).toBe('./coppice vm set-limits 5023 --max-bandwidth 4096');
  });

  it('are told in words', () => {
    const format = new Format({ language: 'en', zone: 'utc' });
    const words = (maxIops: number | null, maxBandwidth: number | null) =>
      limitsText({ maxIops, maxBandwidth }, en, format);
    expect(words(500, 1 << 20)).toBe('500 I/Os a second, 1 MiB/s');
    expect(words(null, null)).toBe('no limits');
  });
});
