/** What a tree needs of a snapshot. */
export interface Node {
  id: string;
  /** What it goes on from, which may not be in the list. */
  basedOn: string | null;
  created: string;
}

/**
 * The lane of each snapshot in the drawing of their tree: one that goes on from another keeps its
 * lane, and each further one that begins at the same place gets one beside it.
 */
export function lanesOf(nodes: readonly Node[]): ReadonlyMap<string, number> {
  const known = new Set(nodes.map((node) => node.id));
  const children = new Map<string, Node[]>();
  const roots: Node[] = [];
  for (const node of [...nodes].sort((a, b) => (a.created < b.created ? -1 : 1))) {
    if (node.basedOn === null || !known.has(node.basedOn)) {
      roots.push(node);
    } else {
      children.set(node.basedOn, [...(children.get(node.basedOn) ?? []), node]);
    }
  }
  const lanes = new Map<string, number>();
  const open = roots.map((node) => ({ node, lane: 0 }));
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { node, lane } = next;
    lanes.set(node.id, lane);
    (children.get(node.id) ?? []).forEach((child, i) => open.push({ node: child, lane: lane + i }));
  }
  return lanes;
}
