import { useEffect, useState } from 'react';

/** A text once nothing has been typed for a moment. */
export function useSettled(text: string, pauseMillis: number): string {
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), pauseMillis);
    return () => clearTimeout(timer);
  }, [text, pauseMillis]);
  return settled;
}
