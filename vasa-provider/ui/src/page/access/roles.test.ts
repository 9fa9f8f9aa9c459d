import { describe, expect, it } from 'vitest';
import { isSameRole, operationRows, roleBody, rolesUpTo } from './roles';

describe('roles', () => {
  it('of a token are no more than the own one', () => {
    expect(rolesUpTo('admin')).toHaveLength(5);
    expect(rolesUpTo('vm-admin')).toEqual(['operator', 'vm-admin']);
    expect(rolesUpTo('volume-admin')).toEqual(['volume-admin']);
  });

  it('are sent with containers only where they are bound to some', () => {
    expect(roleBody({ role: 'operator', containers: ['c'] })).toEqual({ role: 'operator' });
    expect(roleBody({ role: 'volume-admin', containers: ['c'] })).toEqual({
      role: 'volume-admin',
      containers: ['c'],
    });
    expect(roleBody({ role: 'volume-admin', containers: [] })).toBeUndefined();
  });

  it('are the same in any order of containers', () => {
    const now = { role: 'volume-admin' as const, containers: ['a', 'b'] };
    expect(isSameRole({ role: 'volume-admin', containers: ['b', 'a'] }, now)).toBe(true);
    expect(isSameRole({ role: 'volume-admin', containers: ['a'] }, now)).toBe(false);
    expect(isSameRole({ role: 'admin', containers: ['a', 'b'] }, now)).toBe(false);
    expect(isSameRole({ role: 'admin', containers: [] }, { role: 'admin', containers: null })).toBe(true);
  });
});

describe('the table of operations', () => {
  it('says who may do what', () => {
    const rows = operationRows();
    expect(rows.length).toBeGreaterThan(100);
    expect(rows.find(({ key }) => key === 'POST /tokens')).toMatchObject({
      role: 'admin',
      volumeAdmin: false,
      ownAccount: true,
    });
  });
});
