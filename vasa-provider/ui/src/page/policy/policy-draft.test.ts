import { describe, expect, it } from 'vitest';
import type { Policy } from './policy';
import { bandwidthOf, iopsOf, policyBody, policyDraft } from './policy-draft';

const policy: Policy = {
  id: '3f2b8c1e-5d47-4a0e-9b61-7c2d90e4f815',
  name: 'gold',
  description: 'Often',
  generation: 3,
  spaceEfficiency: 'thick',
  snapshotInterval: 'PT15M',
  snapshotRetention: 'P7D',
  maxIops: 5000,
  maxBandwidth: 100 << 20,
  recoveryPointAge: null,
  recoveryPointsKept: null,
  recoveryPointsLocked: null,
  containers: null,
  author: 'anna',
  created: '2026-11-23T20:15:30.123456Z',
};

describe('the draft of a policy', () => {
  it('sends what was read, but for what is not set', () => {
    expect(policyBody(policyDraft(policy))).toEqual({
      name: 'gold',
      description: 'Often',
      spaceEfficiency: 'thick',
      snapshotInterval: 'PT15M',
      snapshotRetention: 'P7D',
      maxIops: 5000,
      maxBandwidth: 100 << 20,
    });
  });

  it('is not whole without a name, or with a field that is wrong', () => {
    const draft = policyDraft(policy);
    expect(policyBody({ ...draft, name: ' ' })).toBeUndefined();
    expect(policyBody({ ...draft, maxIops: '9' })).toBeUndefined();
    expect(policyBody({ ...draft, maxBandwidth: 'fast' })).toBeUndefined();
    expect(policyBody({ ...draft, snapshotInterval: { amount: 'x', unit: 'day' } })).toBeUndefined();
  });

  it('may demand nothing', () => {
    expect(policyBody({ ...policyDraft(), name: 'plain' })).toEqual({ name: 'plain' });
  });
});

describe('a limit', () => {
  it.each([
    ['', null],
    ['10', 10],
    ['10000000', 10_000_000],
    ['9', undefined],
    ['10000001', undefined],
    ['1e3', undefined],
  ])('of I/Os as "%s"', (text, iops) => {
    expect(iopsOf(text)).toBe(iops);
  });

  it('of bandwidth is a size', () => {
    expect(bandwidthOf('100 MiB')).toBe(100 << 20);
    expect(bandwidthOf('')).toBeNull();
    expect(bandwidthOf('much')).toBeUndefined();
  });
});
