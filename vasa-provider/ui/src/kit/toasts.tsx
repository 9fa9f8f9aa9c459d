import { Alert, AlertActionCloseButton, AlertActionLink, AlertGroup } from '@patternfly/react-core';
import { Store, useStore } from '../api/store';
import { useText } from '../text/preferences';

interface Toast {
  id: number;
  variant: 'success' | 'danger' | 'info';
  title: string;
  /** What takes the change back, if anything does. */
  undo?: () => void;
}

const toasts = new Store<readonly Toast[]>([]);
const SHOWN_MILLIS = 8_000;
const SHOWN_WITH_UNDO_MILLIS = 20_000;
/** More would hide the page; what can be undone is in the bin, too. */
const MOST_SHOWN = 4;
let last = 0;

/** Shows a message for some time. One that can be undone has a button for it. */
export function toast(variant: Toast['variant'], title: string, undo?: () => void): void {
  const id = ++last;
  const one = { id, variant, title, ...(undo === undefined ? {} : { undo }) };
  toasts.set([...toasts.get(), one].slice(-MOST_SHOWN));
  setTimeout(() => dismiss(id), undo === undefined ? SHOWN_MILLIS : SHOWN_WITH_UNDO_MILLIS);
}

function dismiss(id: number): void {
  toasts.set(toasts.get().filter((toast) => toast.id !== id));
}

export function Toasts() {
  const text = useText();
  const shown = useStore(toasts);
  return (
    <AlertGroup isToast isLiveRegion>
      {shown.map(({ id, variant, title, undo }) => (
        <Alert
          key={id}
          variant={variant}
          title={title}
          component="p"
          actionClose={<AlertActionCloseButton onClose={() => dismiss(id)} />}
          actionLinks={
            undo && (
              <AlertActionLink
                onClick={() => {
                  dismiss(id);
                  undo();
                }}
              >
                {text.common.undo}
              </AlertActionLink>
            )
          }
        />
      ))}
    </AlertGroup>
  );
}
