/**
 * The places of a table's rows in the document. A row that comes into sight takes the place, and so
 * the elements, of one that left it: new elements, and elements in another order, cost more than all
 * else in a frame, since the browser has to find the style of each. A row keeps its place as long as
 * it is seen.
 */
export class RowSlots {
  private slots: (string | undefined)[] = [];

  /** Gives each row that is seen its place; the answer is by place, with the index of its row. */
  assign(ids: readonly string[]): (number | undefined)[] {
    const indices = new Map(ids.map((id, index) => [id, index]));
    const answer = this.slots.map((id) => {
      const index = id === undefined ? undefined : indices.get(id);
      if (index !== undefined) {
        indices.delete(id!);
      }
      return index;
    });
    let slot = 0;
    for (const index of indices.values()) {
      while (answer[slot] !== undefined) {
        slot++;
      }
      answer[slot] = index;
    }
    this.slots = answer.map((index) => (index === undefined ? undefined : ids[index]));
    return answer;
  }
}
