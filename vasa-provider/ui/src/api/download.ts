import type { Call } from './call';
import { answerTo } from './send';

/** How long a browser has to read what it saves. */
const KEPT_MILLIS = 60_000;

/**
 * Saves the file that a call answers with, as the browser saves files, under the name that the server gives it.
 *
 * @param type of the file
 * @throws ProblemError if the server refuses it or cannot be reached
 */
export async function download(call: Call, type: string): Promise<void> {
  const response = await answerTo(call, type);
  const address = URL.createObjectURL(await response.blob());
  const link = document.createElement('a');
  link.href = address;
  link.download = nameIn(response.headers.get('Content-Disposition')) ?? '';
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), KEPT_MILLIS);
}

/** The name of the file in a `Content-Disposition`; absent if it has none. */
export function nameIn(disposition: string | null): string | undefined {
  return /filename="([^"]+)"/.exec(disposition ?? '')?.[1];
}
