/** A message of a stream of server-sent events (HTML Living Standard, 9.2). */
export interface Message {
  event: string;
  data: string;
  /** Id of the last message that had one; empty before. */
  lastId: string;
}

/** A parser of a stream of server-sent events. It takes the text in pieces, cut anywhere. */
export class Parser {
  private rest = '';
  private event = '';
  private data: string[] = [];
  private lastId = '';

  /** @returns the messages that end in this piece, in order */
  take(piece: string): Message[] {
    const messages: Message[] = [];
    const text = this.rest + piece;
    let at = 0;
    for (;;) {
      const end = text.indexOf('\n', at);
      if (end < 0) {
        break;
      }
      const line = text.slice(at, text[end - 1] === '\r' && end > at ? end - 1 : end);
      at = end + 1;
      const message = this.line(line);
      if (message !== undefined) {
        messages.push(message);
      }
    }
    this.rest = text.slice(at);
    return messages;
  }

  private line(line: string): Message | undefined {
    if (line === '') {
      return this.end();
    }
    const colon = line.indexOf(':');
    const name = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? '' : line.slice(colon + (line[colon + 1] === ' ' ? 2 : 1));
    if (name === 'event') {
      this.event = value;
    } else if (name === 'data') {
      this.data.push(value);
    } else if (name === 'id') {
      this.lastId = value;
    }
    return undefined;
  }

  private end(): Message | undefined {
    const message =
      this.data.length === 0
        ? undefined
        : { event: this.event || 'message', data: this.data.join('\n'), lastId: this.lastId };
    this.event = '';
    this.data = [];
    return message;
  }
}
