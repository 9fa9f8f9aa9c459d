import { call, type Output } from '../../api/call';
import type { PageCall } from '../../api/lists';

export type Policy = Output<'GET /policies/{id}'>;

/** The call of a page of the list of storage policies. */
export const POLICIES: PageCall<Policy> = (query) => call('GET /policies', { query });
