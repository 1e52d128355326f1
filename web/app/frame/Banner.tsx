import { useAtom } from 'jotai';
import { X } from 'lucide-react';
import { useMarket } from '../../platform/format/market.ts';
import { useNow } from '../../platform/hooks/use-now.ts';
import { storedAtom } from '../../platform/session/stored-atom.ts';

/** When the announcement was made that was put away on this device. `first-paint.js` reads it too. */
const readAnnouncementAtom = storedAtom<string | null>(
  'announcement-read',
  (value) => typeof value === 'string',
  null,
);

/**
 * The announcement of the market, until it ends or the reader has put it away on this device. The server, which
 * cannot know that, sends it to everybody; `first-paint.js` hides it meanwhile.
 */
export function Banner() {
  const { announcement } = useMarket();
  const now = useNow();
  const [read, setRead] = useAtom(readAnnouncementAtom);
  if (!announcement || announcement.announcedAt === read) return null;
  if (announcement.endsAt !== null && Date.parse(announcement.endsAt) <= now) return null;
  return (
    <section
      aria-label="Announcement"
      data-print="hide"
      className="first-unless-read border-b border-hairline bg-straw-soft text-ink"
    >
      <div className="wrap flex items-start gap-3 py-2 text-sm">
        <p className="min-w-0 grow whitespace-pre-line wrap-anywhere">{announcement.text}</p>
        <button
          type="button"
          aria-label="Put the announcement away"
          onClick={() => setRead(announcement.announcedAt)}
          className="-my-1 -mr-2 grid size-8 shrink-0 place-items-center rounded hover:bg-sunken pointer-coarse:size-11"
        >
          <X aria-hidden="true" className="size-4" />
        </button>
      </div>
    </section>
  );
}
