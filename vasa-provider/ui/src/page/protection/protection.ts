import { call, type Output } from '../../api/call';
import type { PageCall } from '../../api/lists';

export type ProtectionPolicy = Output<'GET /protection-policies/{id}'>;
export type Group = Output<'GET /protection-groups/{id}'>;
export type Point = Output<'GET /recovery-points/{id}'>;
export type Rule = ProtectionPolicy['rules'][number];
export type Tier = ProtectionPolicy['continuous'][number];

/** The keys of the lists in the cache. */
export const KEYS = {
  policies: ['protection', 'policies'],
  groups: ['protection', 'groups'],
} as const;

/** The calls of pages of the lists. */
export const POLICIES: PageCall<ProtectionPolicy> = (query) =>
  call('GET /protection-policies', { query });
export const GROUPS: PageCall<Group> = (query) => call('GET /protection-groups', { query });
