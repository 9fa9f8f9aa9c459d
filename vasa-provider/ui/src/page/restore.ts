import { call } from '../api/call';
import { send } from '../api/send';
import { toast } from '../kit/toasts';
import type { Text } from '../text/en';

/** Something that lies in the recycle bin. */
export interface Deleted {
  id: string;
  name: string;
}

/** Brings deleted things back from the recycle bin, and says of each whether that worked. */
export async function restore(things: readonly Deleted[], text: Text): Promise<void> {
  for (const { id, name } of things) {
    try {
      await send(call('POST /bin/{id}/restore', { path: { id } }));
      toast('success', text.volumes.restored(name));
    } catch (e) {
      toast('danger', e instanceof Error ? e.message : String(e));
    }
  }
}

/** Says that things were deleted, with the way back. */
export function toastDeleted(things: readonly Deleted[], text: Text): void {
  const said =
    things.length === 1
      ? text.volumes.deleted(things[0]!.name)
      : text.volumes.deletedMany(things.length);
  toast('success', said, () => void restore(things, text));
}
