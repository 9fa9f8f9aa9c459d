import { useSyncExternalStore } from 'react';

/** A value that components watch. */
export class Store<T> {
  private value: T;
  private readonly watchers = new Set<() => void>();

  constructor(value: T) {
    this.value = value;
  }

  readonly get = (): T => this.value;

  set(value: T): void {
    if (!Object.is(value, this.value)) {
      this.value = value;
      this.watchers.forEach((watcher) => watcher());
    }
  }

  readonly watch = (watcher: () => void): (() => void) => {
    this.watchers.add(watcher);
    return () => this.watchers.delete(watcher);
  };
}

export function useStore<T>(store: Store<T>): T {
  return useSyncExternalStore(store.watch, store.get);
}
