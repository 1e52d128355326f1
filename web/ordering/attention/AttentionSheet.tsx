import { useAtomValue, useSetAtom } from 'jotai';
import { BellRing, ChevronDown, ChevronUp, Hand, Volume2, X } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { Link } from 'wouter';
import type { Attention } from '#contract/ordering/attention/attention';
import { wordsOf } from '#contract/people/notifications/constants/words';
import { listOf } from '#contract/platform/text/constants/formats';
import { t } from '#contract/platform/text/constants/texts';
import { ApiError, errorMessage } from '../../platform/api/api-error.ts';
import { useAuth } from '../../platform/session/session.ts';
import { cn } from '../../platform/ui/cn.ts';
import { announce } from '../../platform/ui/feedback/announce.ts';
import { pin } from '../../platform/ui/feedback/pinned.ts';
import {
  ringInOneTab,
  soundAllowedAtom,
  soundAtom,
  soundStateAtom,
} from '../../platform/ui/feedback/sound.ts';
import { Button, LinkButton } from '../../platform/ui/primitives/Button.tsx';
import { Waiting } from '../model/order-parts.tsx';
import { orderKeysAtom, useKeys } from '../model/use-keys.ts';
import { useAcknowledge } from './commands.ts';
import { endTry } from './ringing.ts';

/** How many of those that wait behind the oldest are named. */
const NEXT_SHOWN = 3;
/** How long a page has to find out that it may ring, before it asks for a tap. */
const HINT_AFTER_MS = 1_500;

type Props = {
  /** What rings the reader, oldest first. */
  ringing: readonly Attention[];
  /** All that is open at the farm. */
  open: readonly Attention[];
  isTried: boolean;
};

/**
 * What waits for the reader's answer, on every page of a farm's people. It stands at the end of the page and sticks to
 * the window's edge, so that nothing moves when it comes and it covers nothing for good. It can be made small, but not
 * put away while it waits.
 */
export default function AttentionSheet({ ringing, open, isTried }: Props) {
  const taken = useTaken(ringing, open);
  useAnnounced(ringing);
  const isHinted = useIsHinted();
  const [first] = ringing;
  if (!first && taken.items.length === 0 && !isTried && !isHinted) return null;
  return (
    <aside
      ref={pin}
      aria-label={t('Waiting for you')}
      data-print="hide"
      className="pointer-events-none pinned mx-auto mt-4 grid w-full max-w-xl grid-cols-1 gap-2 px-3 pb-3"
    >
      {taken.items.length > 0 && <TakenLine items={taken.items} onClose={taken.close} />}
      {first ? (
        <Sheet first={first} ringing={ringing} />
      ) : isTried ? (
        <TryLine />
      ) : (
        isHinted && <RingHint />
      )}
    </aside>
  );
}

const boxClass =
  'pointer-events-auto min-w-0 animate-fade-in rounded border bg-raised text-sm shadow-float';

function Sheet({ first, ringing }: { first: Attention; ringing: readonly Attention[] }) {
  const [isSmall, setSmall] = useState(false);
  const acknowledge = useAcknowledge();
  const { mutate, isPending, error } = acknowledge;
  const keysOn = useAtomValue(orderKeysAtom);
  const takeOn = () => !isPending && mutate(ringing);
  useKeys({ i: takeOn }, keysOn);
  const { title, body } = wordsOf(first);
  const next = ringing.slice(1);
  const toggle = (
    <Button
      variant="quiet"
      size="icon"
      aria-expanded={!isSmall}
      aria-label={isSmall ? t('Show what waits') : t('Make it small')}
      icon={isSmall ? <ChevronUp /> : <ChevronDown />}
      onClick={() => setSmall(!isSmall)}
      className="-me-1 size-11 shrink-0 text-ink-soft"
    />
  );
  const head = (
    <>
      <BellRing className="size-5 shrink-0 animate-breathe text-tomato motion-reduce:animate-none" />
      <p className={cn('min-w-0 grow font-semibold', isSmall ? 'truncate' : 'wrap-anywhere')}>
        {title}
      </p>
      <Waiting since={first.createdAt} isShort />
    </>
  );
  if (isSmall)
    return (
      <div className={cn(boxClass, 'flex items-center gap-2.5 border-tomato ps-3 pe-2')}>
        {head}
        {next.length > 0 && (
          <span className="tabular shrink-0 text-ink-soft">
            {t('+{count}', { count: next.length })}
          </span>
        )}
        {toggle}
      </div>
    );
  return (
    <div className={cn(boxClass, 'grid grid-cols-1 gap-2 border-tomato py-2 ps-3 pe-2')}>
      <div className="flex items-center gap-2.5">
        {head}
        {toggle}
      </div>
      <p dir="auto" className="me-1 line-clamp-2 text-ink-soft">
        {body}
      </p>
      {next.length > 0 && <NextOnes next={next} />}
      <SilentNote />
      {error && (
        <p role="alert" className="text-tomato">
          {error instanceof ApiError && error.isOffline
            ? t(
                "The market doesn't know yet that you're on it: there's no connection. It goes on ringing. Press again when you're back.",
              )
            : errorMessage(error)}
        </p>
      )}
      <div className="me-1 flex flex-wrap gap-2">
        <Button
          size="lg"
          icon={<Hand />}
          pending={isPending}
          pendingLabel={t('Telling the others...')}
          aria-keyshortcuts={keysOn ? 'i' : undefined}
          onClick={takeOn}
          className="grow basis-44"
        >
          {next.length > 0 ? t("I'm on all {count}", { count: ringing.length }) : t("I'm on it")}
          {keysOn && <KeyHint>I</KeyHint>}
        </Button>
        <LinkButton href={first.link} size="lg" variant="secondary" className="grow px-4">
          {first.order ? t('Open the order') : t('Open it')}
        </LinkButton>
      </div>
    </div>
  );
}

/** The key of a button, where there is likely to be a keyboard. */
const KeyHint = ({ children }: { children: string }) => (
  <span
    aria-hidden="true"
    className="rounded-xs border border-current px-1.5 font-sans text-xs font-medium opacity-80 pointer-coarse:hidden"
  >
    {children}
  </span>
);

function NextOnes({ next }: { next: readonly Attention[] }) {
  const more = next.length - NEXT_SHOWN;
  return (
    <ul aria-label={t('Next')} className="me-1 grid grid-cols-1 border-t border-hairline pt-1">
      {next.slice(0, NEXT_SHOWN).map((each) => (
        <li key={each._id}>
          <Link
            href={each.link}
            className="flex min-h-9 items-center gap-2 rounded-xs hover:bg-sunken pointer-coarse:min-h-11"
          >
            <span className="min-w-0 grow truncate">{wordsOf(each).title}</span>
            <Waiting since={each.createdAt} isShort />
          </Link>
        </li>
      ))}
      {more > 0 && (
        <li className="py-1 text-ink-soft">
          {t('{count, plural, one {and # more} other {and # more}}', { count: more })}
        </li>
      )}
    </ul>
  );
}

/** Who is on what rang here a moment ago. */
function TakenLine({ items, onClose }: { items: readonly Attention[]; onClose: () => void }) {
  const { user } = useAuth();
  const [only] = items;
  const others = new Map(
    items.flatMap(({ acknowledged }) =>
      acknowledged && acknowledged.by._id !== user?._id
        ? [[acknowledged.by._id, acknowledged.by.name] as const]
        : [],
    ),
  );
  const names = listOf([...others.values()]);
  const who =
    others.size === 0
      ? t("You're on it")
      : t('{count, plural, one {{names} is on it} other {{names} are on it}}', {
          count: others.size,
          names,
        });
  return (
    <div className={cn(boxClass, 'flex items-center gap-2.5 border-leaf ps-3 pe-2')}>
      <Hand className="size-5 shrink-0 text-leaf" />
      <p className="min-w-0 grow py-2">
        <span className="font-semibold">{who}</span>{' '}
        <span className="text-ink-soft">
          {items.length === 1 && only
            ? wordsOf(only).title
            : t('{count, plural, one {# alert} other {# alerts}}', { count: items.length })}
        </span>
      </p>
      {items.length === 1 && only && (
        <Link href={only.link} className="link inline-flex min-h-11 shrink-0 items-center">
          {t('Open')}
        </Link>
      )}
      <Button
        variant="quiet"
        size="icon"
        aria-label={t('Close')}
        icon={<X />}
        onClick={onClose}
        className="-me-1 size-11 shrink-0 text-ink-soft"
      />
    </div>
  );
}

const TryLine = () => (
  <div className={cn(boxClass, 'grid gap-1 border-leaf py-2 ps-3 pe-2')}>
    <div className="flex items-center gap-2.5">
      <BellRing className="size-5 shrink-0 text-leaf" />
      <p role="status" className="min-w-0 grow font-semibold">
        {t('This is how a new order rings')}
      </p>
      <Button variant="secondary" onClick={endTry} className="min-h-11">
        {t('Stop')}
      </Button>
    </div>
    <SilentNote />
  </div>
);

/** Says why this page makes no sound, and what to do about it. */
function SilentNote() {
  const isOn = useAtomValue(soundAtom);
  const setOn = useSetAtom(soundAtom);
  const state = useAtomValue(soundStateAtom);
  if (!isOn)
    return (
      <p className="text-ink-soft">
        {t('The sound is off in this browser.')}{' '}
        <button type="button" className="link min-h-8" onClick={() => setOn(true)}>
          {t('Turn it on')}
        </button>
      </p>
    );
  if (state !== 'blocked') return null;
  return <p className="text-ink-soft">{t('Your browser lets this page ring once you tap it.')}</p>;
}

/** Whether to ask for the tap without which this browser does not let pages ring; once on each device. */
function useIsHinted(): boolean {
  const isOn = useAtomValue(soundAtom);
  const isAllowed = useAtomValue(soundAllowedAtom);
  const isBlocked = useAtomValue(soundStateAtom) === 'blocked' && isOn && !isAllowed;
  const [isShown, setShown] = useState(false);
  useEffect(() => {
    // Shown and taken back a moment later: a tap elsewhere must not move what it falls on.
    const timer = setTimeout(() => setShown(isBlocked), HINT_AFTER_MS);
    return () => clearTimeout(timer);
  }, [isBlocked]);
  return isShown;
}

/** The tap itself unlocks the sound, as any tap does. */
const RingHint = () => (
  <button
    type="button"
    onClick={() => void ringInOneTab()}
    className={cn(
      boxClass,
      'flex min-h-12 items-center gap-2.5 border-hairline px-3 py-2 text-start',
    )}
  >
    <Volume2 className="size-5 shrink-0 text-leaf" />
    <span>
      <span className="block font-semibold">{t('Tap to let it ring')}</span>
      <span className="block text-ink-soft">
        {t('New orders ring on this device after one tap.')}
      </span>
    </span>
  </button>
);

/** Returns what rang here and what somebody is on by now, until it is closed or done. */
function useTaken(ringing: readonly Attention[], open: readonly Attention[]) {
  const [rang, setRang] = useState<ReadonlySet<string>>(new Set());
  const added = ringing.filter(({ _id }) => !rang.has(_id));
  if (added.length > 0) setRang(new Set([...rang, ...added.map(({ _id }) => _id)]));
  const items = open.filter(({ _id, state }) => state === 'acknowledged' && rang.has(_id));
  return {
    items,
    close: () => {
      const closed = new Set(items.map(({ _id }) => _id));
      setRang(new Set([...rang].filter((id) => !closed.has(id))));
    },
  };
}

/** Has screen readers read each alert once. */
function useAnnounced(ringing: readonly Attention[]): void {
  const known = useRef(new Set<string>());
  useEffect(() => {
    for (const each of ringing) {
      if (known.current.has(each._id)) continue;
      known.current.add(each._id);
      announce(t('{title}. It waits for your answer.', { title: wordsOf(each).title }));
    }
  }, [ringing]);
}
