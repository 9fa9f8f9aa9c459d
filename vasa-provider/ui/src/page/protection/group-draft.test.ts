import { describe, expect, it } from 'vitest';
import { groupBody, groupDraft } from './group-draft';
import type { Group } from './protection';

const group: Group = {
  id: 'a',
  name: 'shop',
  policy: 'p',
  members: [
    { vm: 'vm-1', volume: null },
    { vm: null, volume: 'disk-1' },
  ],
  next: null,
  last: null,
  lastError: null,
  notContinuous: [],
};

describe('the draft of a group', () => {
  it('sends what was read', () => {
    expect(groupBody(groupDraft(group))).toEqual({
      name: 'shop',
      policy: 'p',
      members: [{ vm: 'vm-1' }, { volume: 'disk-1' }],
    });
  });

  it('is not whole without a name, a policy, or members', () => {
    const draft = groupDraft(group);
    expect(groupBody({ ...draft, name: ' ' })).toBeUndefined();
    expect(groupBody({ ...draft, policy: '' })).toBeUndefined();
    expect(groupBody({ ...draft, vms: [], volumes: [] })).toBeUndefined();
    expect(groupBody(groupDraft())).toBeUndefined();
  });
});
