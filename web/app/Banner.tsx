import { X } from 'lucide-react';
import { useState } from 'react';
import { useHydrated } from '../lib/hydration.ts';
import { useMarket } from '../lib/market.ts';
import { useNow } from '../lib/use-now.ts';

const STORAGE_KEY = 'farmgate-announcement-read';

function readDismissed(): string | null {
  try {
    return localStorage.getItem(STORAGE_KEY);
  } catch {
    return null;
  }
}

/** What the market tells everybody, until it ends or the reader has put it away on this device. */
export function Banner() {
  const { announcement } = useMarket();
  const now = useNow();
  const [dismissed, setDismissed] = useState(readDismissed);
  // The server, which cannot know, tells it to everybody.
  const isDismissed = useHydrated() && announcement?.text === dismissed;
  if (!announcement || isDismissed) return null;
  if (announcement.endsAt !== null && Date.parse(announcement.endsAt) <= now) return null;
  const dismiss = () => {
    setDismissed(announcement.text);
    try {
      localStorage.setItem(STORAGE_KEY, announcement.text);
    } catch {
      // Without storage it comes back with the next page load.
    }
  };
  return (
    <section
      aria-label="Announcement"
      data-print="hide"
      className="border-b border-hairline bg-straw-soft text-ink"
    >
      <div className="wrap flex items-start gap-3 py-2 text-sm">
        <p className="min-w-0 grow whitespace-pre-line wrap-anywhere">{announcement.text}</p>
        <button
          type="button"
          aria-label="Put the announcement away"
          onClick={dismiss}
          className="-my-1 -mr-2 grid size-8 shrink-0 place-items-center rounded hover:bg-sunken pointer-coarse:size-11"
        >
          <X aria-hidden="true" className="size-4" />
        </button>
      </div>
    </section>
  );
}
