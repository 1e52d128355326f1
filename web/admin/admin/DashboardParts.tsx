import { useQuery } from '@tanstack/react-query';
import { Check, Circle } from 'lucide-react';
import { type ReactNode, useId } from 'react';
import { Link } from 'wouter';
import type { AdminStats, Connected } from '#contract/admin/admin/admin';
import { ownContact } from '#contract/platform/market/constants/choices';
import { type Message, msg, t, writeMessage } from '#contract/platform/text/constants/texts';
import { addDays, DEFAULT_TIME_ZONE, dayIn } from '#contract/platform/time/constants';
import { marketQuery } from '../../platform/format/market.ts';
import { cn } from '../../platform/ui/cn.ts';
import { LinkButton } from '../../platform/ui/primitives/Button.tsx';
import { CopyLinkButton } from '../../platform/ui/primitives/CopyLinkButton.tsx';
import { Count } from '../../platform/ui/primitives/Count.tsx';
import { Card, CardHeader } from '../../platform/ui/primitives/sections.tsx';
import { connectedQuery } from './queries.ts';

const roles = [
  ['visitor', msg('Visitors')],
  ['consumer', msg('Consumers')],
  ['farmer', msg('Farmers')],
  ['admin', msg('Admins')],
] as const satisfies readonly (readonly [keyof Connected, Message])[];

/** The number of connected people by role; dashes until it is known. */
export function ConnectedNow() {
  const { data: connected } = useQuery(connectedQuery());
  return (
    <section
      aria-label={t('Connected now')}
      className="col-span-3 grid content-start rounded border border-hairline bg-surface px-3.5 py-2 lg:col-span-4 xl:col-span-1"
    >
      <h2 className="flex items-center gap-2 font-sans text-sm font-normal tracking-normal text-ink-soft">
        <span
          aria-hidden="true"
          className={cn(
            'size-2 rounded-full',
            connected ? 'bg-leaf animate-breathe' : 'bg-outline',
          )}
        />
        {t('Connected now')}
      </h2>
      <dl className="flex flex-wrap items-baseline justify-between gap-x-4">
        {roles.map(([role, label]) => (
          <div
            key={role}
            className="flex flex-col-reverse sm:flex-row-reverse sm:items-baseline sm:gap-1.5"
          >
            <dt className="text-xs text-ink-soft">{writeMessage(label)}</dt>
            <dd className="font-display text-lg font-semibold leading-tight">
              {connected ? <Count value={connected[role]} /> : '–'}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

type Figures = NonNullable<AdminStats['attention']>;

interface Line {
  key: keyof Figures;
  label: string;
  href: string;
  /** Whether it is left out while it is 0, since many markets never have any. */
  isRare?: true;
  /** Whether a number above 0 is nothing to look after. */
  isNews?: true;
}

const lines = (since: string): readonly Line[] => [
  {
    key: 'unansweredOrders',
    label: t('Orders waiting'),
    href: '/admin/orders?status=pending&sort=oldest',
  },
  { key: 'waitingFarms', label: t('Farms waiting'), href: '/admin/farms', isRare: true },
  { key: 'openReports', label: t('Open reports'), href: '/admin/reports' },
  {
    key: 'farmsWithNothingForSale',
    label: t('Farms selling nothing'),
    href: '/admin/users?role=farmer&state=nothingForSale',
  },
  { key: 'hiddenProducts', label: t('Hidden products'), href: '/admin/hidden-products' },
  { key: 'suspendedPeople', label: t('Suspended'), href: '/admin/users?state=suspended' },
  {
    key: 'newPeople',
    label: t('New this week'),
    href: `/admin/users?from=${since}`,
    isNews: true,
  },
];

/** What wants looking after on the market: each number leads to what it counts. */
export function Attention({ figures }: { figures: Figures }) {
  const { timeZone = DEFAULT_TIME_ZONE } = useQuery(marketQuery()).data ?? {};
  const since = addDays(dayIn(timeZone), -6);
  const shown = lines(since).filter(({ key, isRare }) => !isRare || (figures[key] ?? 0) > 0);
  return (
    <section
      aria-label={t('What needs attention')}
      className="rounded border border-hairline bg-surface px-2 xl:py-0 py-1"
    >
      <ul className="grid grid-cols-2 sm:grid-cols-3 xl:flex xl:flex-wrap xl:justify-between">
        {shown.map(({ key, label, href, isNews }) => (
          <li key={key} className="min-w-0">
            <Link
              href={href}
              className="flex min-h-9 items-baseline gap-2 rounded-xs px-1.5 py-1 text-sm xl:whitespace-nowrap text-ink-soft hover:bg-sunken pointer-coarse:min-h-11"
            >
              <Count
                value={figures[key] ?? 0}
                className={cn(
                  'shrink-0 font-display text-lg font-semibold leading-tight text-ink',
                  !isNews && (figures[key] ?? 0) > 0 && 'text-tomato',
                )}
              />
              {label}
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** A titled part of the dashboard with scrolling content. */
export function Panel({
  title,
  aside,
  className,
  children,
}: {
  title: string;
  /** Content beside the title, such as a count or a link. */
  aside?: ReactNode;
  className?: string;
  children: ReactNode;
}) {
  const id = useId();
  return (
    <section
      aria-labelledby={id}
      className={cn(
        'flex min-h-0 min-w-0 flex-col rounded border border-hairline bg-surface',
        className,
      )}
    >
      <header className="flex items-center justify-between gap-3 px-3.5 pt-2.5">
        <h2 id={id} className="text-base">
          {title}
        </h2>
        {aside}
      </header>
      <div
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keys.
        tabIndex={0}
        className="scroll-cue min-h-0 grow overflow-y-auto rounded-b px-3.5 pb-2.5 pt-1"
      >
        {children}
      </div>
    </section>
  );
}

/** Where farms register: the registration with the farmer's role chosen. */
const REGISTER_FARM = '/register?role=farmer';

/**
 * What a new market needs next, for its admin: a farm, an address for its people, a backup. It goes with the
 * first order.
 */
export function NextSteps({ stats, hasBackup }: { stats: AdminStats; hasBackup: boolean }) {
  const { data: market } = useQuery(marketQuery());
  if (stats.totalOrders > 0 || !market) return null;
  const { address, phone, email } = ownContact(market);
  return (
    <Card as="section" aria-labelledby="next-steps" className="mb-3">
      <CardHeader id="next-steps" title={t('steps|Next')} className="mb-2" />
      <ul className="divide-y divide-hairline">
        <Step
          isDone={stats.usersByRole.farmer > 0}
          title={t('Invite a farm')}
          text={t(
            'Send this link to the farms you know. They register there and put up their goods.',
          )}
        >
          <CopyLinkButton to={REGISTER_FARM} size="sm">
            {t('Copy the registration link')}
          </CopyLinkButton>
        </Step>
        <Step
          isDone={[address, phone, email].some((text) => text !== '')}
          title={t('Say where people reach you')}
          text={t('An address, a phone number or an email stands at the foot of every page.')}
        >
          <LinkButton href="/admin/market#contact.address" variant="secondary" size="sm">
            {t('Write the contact')}
          </LinkButton>
        </Step>
        <Step
          isDone={hasBackup}
          title={t('Make backups')}
          text={t(
            'On the machine that runs the market, npm run backup writes everything to one folder.',
          )}
        />
      </ul>
    </Card>
  );
}

function Step({
  isDone,
  title,
  text,
  children,
}: {
  isDone: boolean;
  title: string;
  text: string;
  children?: ReactNode;
}) {
  const Icon = isDone ? Check : Circle;
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2 py-3 last:pb-0">
      <p className="flex min-w-0 max-w-prose items-start gap-3 text-sm">
        <Icon aria-hidden="true" className="mt-0.5 size-4 shrink-0 text-leaf" />
        <span>
          <span className="font-medium">{title}</span>
          {isDone && <span className="sr-only"> {t('(done)')}</span>}
          <span className="block text-ink-soft">{text}</span>
        </span>
      </p>
      {children}
    </li>
  );
}
