import { describe, expect, it } from 'vitest';
import { Parser } from './sse';

const STREAM =
  'id: 7\nevent: event\ndata: {"a":1}\n\n: still here\n\nevent: job\ndata: one\ndata: two\n\ndata:x\r\n\r\n';
const MESSAGES = [
  { event: 'event', data: '{"a":1}', lastId: '7' },
  { event: 'job', data: 'one\ntwo', lastId: '7' },
  { event: 'message', data: 'x', lastId: '7' },
];

describe('the parser of server-sent events', () => {
  it('finds each message, however the stream is cut', () => {
    for (let size = 1; size <= STREAM.length; size++) {
      const parser = new Parser();
      const found = [];
      for (let at = 0; at < STREAM.length; at += size) {
        found.push(...parser.take(STREAM.slice(at, at + size)));
      }
      expect(found, `pieces of ${size}`).toEqual(MESSAGES);
    }
  });

  it('passes over comments and fields without a meaning', () => {
    expect(new Parser().take(': still here\n\nretry: 5\nnothing\n\n')).toEqual([]);
  });

  it('keeps what has no end yet', () => {
    const parser = new Parser();
    expect(parser.take('data: half')).toEqual([]);
    expect(parser.take('\n')).toEqual([]);
    expect(parser.take('\n')).toEqual([{ event: 'message', data: 'half', lastId: '' }]);
  });
});
