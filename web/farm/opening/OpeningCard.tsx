import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { type OpeningStep, openingApi } from '#contract/farm/opening/constants';
import type { FarmOpening } from '#contract/farm/opening/opening';
import { type Message, msg, t, writeMessage } from '#contract/platform/text/constants/texts';
import { call } from '../../platform/api/api.ts';
import { useCommand } from '../../platform/queries/use-command.ts';
import { farmIdOf, mayForFarm, useAuth } from '../../platform/session/session.ts';
import { cn } from '../../platform/ui/cn.ts';
import { Alert } from '../../platform/ui/feedback/states.tsx';
import { Button, LinkButton } from '../../platform/ui/primitives/Button.tsx';
import { Card, CardHeader } from '../../platform/ui/primitives/sections.tsx';
import { openingKeys, ownOpeningQuery } from './queries.ts';
import { StepList } from './StepList.tsx';

const STEPS: Record<OpeningStep, { label: Message; hint: Message; href: string }> = {
  email: {
    label: msg('Confirm your email'),
    hint: msg('Open the link that we sent to an owner of the farm.'),
    href: '/profile',
  },
  profile: {
    label: msg('Describe your farm'),
    hint: msg('Its name and what makes it yours.'),
    href: '/farmer/settings',
  },
  address: {
    label: msg('Say where you are'),
    hint: msg('Customers see the town beside your products.'),
    // A farm has the address of the user who registered it; once they have left, its settings have it.
    href: '/farmer/settings#contact.address.city',
  },
  hours: {
    label: msg('Say when you are open'),
    hint: msg('The hours of a week, or a pickup place with hours of its own.'),
    href: '/farmer/settings?section=days#hours.monday',
  },
  product: {
    label: msg('Put up your first product'),
    hint: msg('One that is active is enough to begin with.'),
    href: '/farmer/products/add',
  },
};

/** What the card says by where the farm stands. */
const TEXTS: Record<FarmOpening['state'] | 'ready', Message> = {
  waiting: msg(
    'You asked to join. We look at your farm and tell you here. You can go on preparing.',
  ),
  sent_back: msg('Your farm is not in the market for now. Make the change and ask again.'),
  preparing: msg(
    'Nobody sees your farm yet. Take these steps in any order, then ask for approval.',
  ),
  ready: msg(
    'Everything is there. Ask for approval, and customers see your farm once an admin has looked at it.',
  ),
  approved: msg('With these, customers find you and know when to come.'),
};

/**
 * What a farm still needs before it sells: for drafts until they are approved, and for a farm that is in the
 * market until nothing is missing or it has orders.
 */
export function OpeningCard({ hasOrders }: { hasOrders: boolean }) {
  const { user } = useAuth();
  const { data: opening } = useQuery(ownOpeningQuery());
  const ask = useAskForApproval();
  const farmId = farmIdOf(user);
  if (!opening || farmId === undefined) return null;
  const { state, steps, reason } = opening;
  const isReady = steps.every(({ isDone }) => isDone);
  const isDraft = state !== 'approved';
  if (!isDraft && (isReady || hasOrders)) return null;
  const title = state === 'waiting' ? t('Waiting for approval') : t('Before you open');
  const text = TEXTS[state === 'preparing' && isReady ? 'ready' : state];
  const mayChange = mayForFarm(user, 'changeFarm');
  return (
    <Card as="section" aria-labelledby="opening" className="mb-4 border-leaf/40">
      <CardHeader id="opening" title={title} className="mb-2" />
      <p className="max-w-prose text-sm text-ink-soft">{writeMessage(text)}</p>
      {reason !== null && (
        <Alert kind="warning" className="mt-4">
          <p className="font-medium">{t('An admin asks for a change')}</p>
          <p dir="auto" className="wrap-anywhere whitespace-pre-line">
            {reason}
          </p>
        </Alert>
      )}
      <StepList
        steps={steps}
        className={cn(
          'mt-4 grid gap-x-8 gap-y-3 text-sm',
          steps.length > 3 ? 'sm:grid-cols-2 xl:grid-cols-4' : 'sm:grid-cols-3',
        )}
      >
        {({ step, isDone }) => {
          const { label, hint } = STEPS[step];
          const isOwnAddress = step === 'address' && user?._id === farmId;
          const href = isOwnAddress ? '/profile#address.city' : STEPS[step].href;
          return (
            <>
              {mayChange && !isDone ? (
                <Link href={href} className="link font-medium">
                  {writeMessage(label)}
                </Link>
              ) : (
                <span className="font-medium">{writeMessage(label)}</span>
              )}
              <span className="block text-ink-soft">{writeMessage(hint)}</span>
            </>
          );
        }}
      </StepList>
      {isDraft && (
        <div className="mt-5 flex flex-wrap items-center gap-3">
          {state !== 'waiting' && mayChange && (
            <Button
              disabled={!isReady}
              pending={ask.isPending}
              pendingLabel={t('Asking...')}
              onClick={() => ask.mutate()}
            >
              {state === 'sent_back' ? t('Ask again') : t('Ask for approval')}
            </Button>
          )}
          <LinkButton href={`/farmers/${farmId}`} variant="secondary">
            {t("See your farm's page")}
          </LinkButton>
        </div>
      )}
    </Card>
  );
}

/** Asks admins to approve the signed-in farmer's farm. */
const useAskForApproval = () =>
  useCommand(() => call(openingApi.ask, {}), {
    onSuccess: (cache, { data }) => cache.setQueryData(openingKeys.own(), data),
    done: t('Sent. You hear from us as soon as somebody has looked.'),
  });
