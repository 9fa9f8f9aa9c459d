import { call } from '../../api/call';
import { send } from '../../api/send';
import type { Entry, Kind } from './entry';
import { type Filter, isBefore, isWanted, severityOf } from './filter';
import type { Part } from './merge';

const PART = 100;

/** Reads parts of the lists, each as far filtered by the server as it can. */
export function reader(
  filter: Filter,
  signal: AbortSignal,
): (kind: Kind, cursor: string | undefined) => Promise<Part<Entry>> {
  const limit = PART;
  const object = some(filter.object);
  const span = { since: some(filter.since), until: some(filter.until) };
  const actor = some(filter.actor);
  return async (kind, cursor) => {
    switch (kind) {
      case 'alert': {
        const query = { limit, cursor, severity: severityOf(filter), about: object };
        const page = await send(call('GET /alerts', { query }), signal);
        return chosen(page.items.map((alert) => ({ kind, at: alert.since, alert })), page.next, filter);
      }
      case 'job': {
        const page = await send(call('GET /jobs', { query: { limit, cursor } }), signal);
        return chosen(page.items.map((job) => ({ kind, at: job.created, job })), page.next, filter);
      }
      case 'event': {
        const from = cursor === undefined ? undefined : Number(cursor);
        const query = { limit, cursor: from, actor, object, ...span };
        const page = await send(call('GET /events', { query }), signal);
        return { entries: page.items.map((event) => ({ kind, at: event.at, event })), next: page.next };
      }
      case 'audit': {
        const query = { limit, cursor, actor, object, ...span };
        const page = await send(call('GET /audit', { query }), signal);
        return { entries: page.items.map((audited) => ({ kind, at: audited.at, audited })), next: page.next };
      }
    }
  };
}

/** A part of a list that the server does not filter by time: it ends where its entries are too old. */
function chosen(entries: readonly Entry[], next: string | null, filter: Filter): Part<Entry> {
  const last = entries.at(-1);
  return {
    entries: entries.filter((entry) => isWanted(entry, filter)),
    next: last !== undefined && isBefore(last, filter.since) ? null : next,
  };
}

function some(text: string): string | undefined {
  return text === '' ? undefined : text;
}
