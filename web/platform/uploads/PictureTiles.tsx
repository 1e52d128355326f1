import { GripVertical, X } from 'lucide-react';
import {
  type KeyboardEvent,
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { t } from '#contract/platform/text/constants/texts';
import { listen, stopAll } from '../hooks/listen.ts';
import { cn } from '../ui/cn.ts';
import { inReadingOrder } from '../ui/direction.ts';
import { Button } from '../ui/primitives/Button.tsx';
import { Picture } from '../ui/primitives/Picture.tsx';

/** The target index of each key for the picture at index `at`. */
const targetByKey: Partial<Record<string, (at: number, last: number) => number>> = {
  ArrowLeft: (at) => at - 1,
  ArrowUp: (at) => at - 1,
  ArrowRight: (at) => at + 1,
  ArrowDown: (at) => at + 1,
  Home: () => 0,
  End: (_, last) => last,
};

/**
 * Uploaded pictures as list items that can be reordered by dragging or by arrow keys on their handle,
 * and removed. The first one is shown on cards. Must be rendered in a list.
 */
export function PictureTiles({
  urls,
  onChange,
}: {
  urls: readonly string[];
  onChange: (change: (urls: readonly string[]) => readonly string[]) => void;
}) {
  const [dragged, setDragged] = useState<string | null>(null);
  const [announcement, setAnnouncement] = useState('');
  const handles = useRef(new Map<string, HTMLButtonElement>());
  const refocus = useRef<string | null>(null);

  const move = (url: string, to: number) => {
    onChange((now) => moved(now, now.indexOf(url), to));
    const place = Math.max(0, Math.min(urls.length - 1, to)) + 1;
    setAnnouncement(t('Picture moved to place {place} of {count}', { place, count: urls.length }));
  };

  const moveByKey = (event: KeyboardEvent, url: string) => {
    const at = urls.indexOf(url);
    const to = targetByKey[inReadingOrder(event.key)]?.(at, urls.length - 1);
    if (to === undefined) return;
    event.preventDefault();
    refocus.current = url;
    move(url, to);
  };

  // A moved DOM element loses the focus.
  useLayoutEffect(() => {
    if (refocus.current !== null && urls.includes(refocus.current)) {
      handles.current.get(refocus.current)?.focus();
    }
    refocus.current = null;
  }, [urls]);

  const moveOver = useEffectEvent(move);
  useEffect(() => {
    if (dragged === null) return;
    const onPointerMove = (event: PointerEvent) => {
      const tile = document
        .elementFromPoint(event.clientX, event.clientY)
        ?.closest<HTMLElement>('[data-picture]');
      const over = Number(tile?.dataset.picture ?? Number.NaN);
      if (!Number.isNaN(over)) moveOver(dragged, over);
    };
    return stopAll(
      listen(window, ['pointermove'], onPointerMove),
      listen(window, ['pointerup', 'pointercancel'], () => setDragged(null)),
    );
  }, [dragged]);

  return (
    <>
      {urls.map((url, index) => (
        <li
          key={url}
          data-picture={index}
          className={cn(
            'relative overflow-hidden rounded border-2 bg-surface',
            dragged === url ? 'border-leaf shadow-float' : 'border-hairline',
          )}
        >
          <Picture
            src={url}
            alt={t('Picture {place}', { place: index + 1 })}
            sizes="12rem"
            draggable={false}
          />
          {index === 0 && (
            <span className="absolute inset-x-0 top-0 bg-leaf px-2 py-0.5 text-center text-xs font-medium text-on-leaf">
              {t('Card picture')}
            </span>
          )}
          <span className="flex items-stretch justify-between border-t border-hairline">
            <button
              ref={(element) => {
                if (element) handles.current.set(url, element);
                else handles.current.delete(url);
              }}
              type="button"
              aria-label={t('Move picture {place} of {count}', {
                place: index + 1,
                count: urls.length,
              })}
              aria-keyshortcuts="ArrowLeft ArrowRight"
              onPointerDown={(event) => {
                event.preventDefault();
                event.currentTarget.focus();
                setDragged(url);
              }}
              onKeyDown={(event) => moveByKey(event, url)}
              className="grid min-h-10 grow cursor-grab touch-none place-items-center text-ink-soft hover:bg-leaf-soft focus-visible:-outline-offset-2 active:cursor-grabbing pointer-coarse:min-h-11"
            >
              <GripVertical className="size-4" />
            </button>
            <Button
              variant="danger-quiet"
              size="icon"
              aria-label={t('Remove picture {place}', { place: index + 1 })}
              onClick={() => {
                onChange((now) => now.filter((each) => each !== url));
                setAnnouncement(t('Picture removed'));
              }}
              className="rounded-none focus-visible:-outline-offset-2"
            >
              <X className="size-4" />
            </Button>
          </span>
        </li>
      ))}
      <li className="sr-only">
        <span role="status">{announcement}</span>
      </li>
    </>
  );
}

/** Returns the list with the item at `from` moved to `to`, or the same list if nothing moves. */
export function moved<Item>(list: readonly Item[], from: number, to: number): readonly Item[] {
  const item = list[from];
  const end = Math.max(0, Math.min(list.length - 1, to));
  if (item === undefined || end === from) return list;
  return list.toSpliced(from, 1).toSpliced(end, 0, item);
}
