import type { Output } from '../../api/call';

export type Orphan = Output<'GET /orphans'>['items'][number];

/** The page of an orphan; null for a snapshot, whose page would be that of its volume. */
export function pageOf(orphan: Pick<Orphan, 'id' | 'kind'>): string | null {
  return orphan.kind === 'snapshot' ? null : `/volumes/${orphan.id}`;
}
