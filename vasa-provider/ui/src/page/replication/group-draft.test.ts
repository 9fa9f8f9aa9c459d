import { describe, expect, it } from 'vitest';
import { newTier } from '../protection/protection-draft';
import { areTiers, groupBody, groupChange, groupDraft, isInterval, isRpo } from './group-draft';
import type { Group } from './replication';

const group: Group = {
  id: 'a',
  name: 'shop',
  state: 'SOURCE',
  since: '2026-11-29T14:00:00Z',
  settled: true,
  peer: 'p',
  interval: 'PT15S',
  rpo: 'PT1M',
  usualRpo: false,
  keep: [{ every: 'PT1H', keepFor: 'P1D' }],
  members: [
    { vm: 'vm-1', volume: null },
    { vm: null, volume: 'disk-1' },
  ],
  container: 'gold',
  paused: false,
  newest: null,
  lag: null,
  lagState: null,
  replica: null,
  volumes: [],
  cycles: null,
};

describe('the draft of a replication group', () => {
  it('sends what was read', () => {
    expect(groupBody(groupDraft(group))).toEqual({
      name: 'shop',
      peer: 'p',
      interval: 'PT15S',
      rpo: 'PT1M',
      keep: [{ every: 'PT1H', keepFor: 'P1D' }],
      members: [{ vm: 'vm-1' }, { volume: 'disk-1' }],
      container: 'gold',
    });
  });

  it('leaves out what is not wanted', () => {
    const body = groupBody({ ...groupDraft(group), tiers: [], container: ' ' });
    expect(body).not.toHaveProperty('keep');
    expect(body).not.toHaveProperty('container');
  });

  it('is not whole without a name, a peer, or members', () => {
    const draft = groupDraft(group);
    expect(groupBody({ ...draft, name: ' ' })).toBeUndefined();
    expect(groupBody({ ...draft, peer: '' })).toBeUndefined();
    expect(groupBody({ ...draft, vms: [], volumes: [] })).toBeUndefined();
    expect(groupBody(groupDraft())).toBeUndefined();
  });

  it('has an interval of 5 seconds to 24 hours', () => {
    expect(isInterval({ amount: '4', unit: 'second' })).toBe(false);
    expect(isInterval({ amount: '5', unit: 'second' })).toBe(true);
    expect(isInterval({ amount: '24', unit: 'hour' })).toBe(true);
    expect(isInterval({ amount: '25', unit: 'hour' })).toBe(false);
    expect(isInterval({ amount: '', unit: 'hour' })).toBe(false);
    expect(isInterval({ amount: 'x', unit: 'hour' })).toBe(false);
  });

  it('has an RPO from the interval to 7 days, or none', () => {
    const interval = { amount: '1', unit: 'minute' } as const;
    expect(isRpo({ amount: '59', unit: 'second' }, interval)).toBe(false);
    expect(isRpo({ amount: '60', unit: 'second' }, interval)).toBe(true);
    expect(isRpo({ amount: '7', unit: 'day' }, interval)).toBe(true);
    expect(isRpo({ amount: '8', unit: 'day' }, interval)).toBe(false);
    expect(isRpo({ amount: 'x', unit: 'day' }, interval)).toBe(false);
    expect(isRpo({ amount: '', unit: 'day' }, interval)).toBe(true);
    expect(groupBody(groupDraft({ ...group, usualRpo: true }))).not.toHaveProperty('rpo');
  });

  it('keeps a replica at least until the next one', () => {
    expect(areTiers([newTier('PT1H', 'PT1H')])).toBe(true);
    expect(areTiers([newTier('PT1H', 'PT1M')])).toBe(false);
    expect(areTiers([newTier('PT1S', 'PT1M')])).toBe(false);
    expect(areTiers([newTier('PT1H', null)])).toBe(false);
  });
});

describe('the change of a replication group', () => {
  const draft = groupDraft(group);

  it('is none if nothing differs', () => {
    expect(groupChange(draft, group)).toBeUndefined();
  });

  it('has the fields that differ and no others', () => {
    expect(groupChange({ ...draft, rpo: { amount: '', unit: 'minute' } }, group)).toEqual({ rpo: 'PT0S' });
    expect(groupChange({ ...draft, rpo: { amount: '2', unit: 'minute' } }, group)).toEqual({ rpo: 'PT2M' });
    expect(groupChange({ ...draft, name: 'store' }, group)).toEqual({ name: 'store' });
    expect(groupChange({ ...draft, interval: { amount: '1', unit: 'minute' } }, group)).toEqual({
      interval: 'PT1M',
    });
    expect(groupChange({ ...draft, vms: [] }, group)).toEqual({ members: [{ volume: 'disk-1' }] });
  });

  it('takes tiers and the container away', () => {
    expect(groupChange({ ...draft, tiers: [], container: '' }, group)).toEqual({
      keep: [],
      container: '',
    });
  });

  it('is none while the draft is not whole', () => {
    expect(groupChange({ ...draft, name: '' }, group)).toBeUndefined();
  });
});
