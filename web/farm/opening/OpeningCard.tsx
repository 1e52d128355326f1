import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { type FurtherStep, type OpeningStep, openingApi } from '#contract/farm/opening/constants';
import type { FarmOpening } from '#contract/farm/opening/opening';
import { type Message, msg, t, writeMessage } from '#contract/platform/text/constants/texts';
import { call } from '../../platform/api/api.ts';
import { useCommand } from '../../platform/queries/use-command.ts';
import { farmIdOf, mayForFarm, useAuth } from '../../platform/session/session.ts';
import { cn } from '../../platform/ui/cn.ts';
import { Alert } from '../../platform/ui/feedback/states.tsx';
import { Button, LinkButton } from '../../platform/ui/primitives/Button.tsx';
import { CopyLinkButton } from '../../platform/ui/primitives/CopyLinkButton.tsx';
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

const FURTHER: Record<FurtherStep, { label: Message; hint: Message; href: string }> = {
  place: {
    label: msg('Add a pickup place'),
    hint: msg('Customers choose one of its times, and no time gets too full.'),
    href: '/farmer/settings?section=places',
  },
  payment: {
    label: msg('Say how customers pay you'),
    hint: msg('Other than in cash, such as your bank account.'),
    href: '/farmer/settings?section=payment',
  },
  people: {
    label: msg('Invite who works with you'),
    hint: msg('They see orders and pack with you.'),
    href: '/farmer/settings?section=people',
  },
};

/**
 * What a farm still needs: before it sells, for drafts until they are approved; then until it is complete. Once it is
 * open, and until its first order, it is told how customers find it.
 */
export function OpeningCard({
  farmName,
  hasOrders,
  poster,
}: {
  /** Undefined until it is known. */
  farmName: string | undefined;
  hasOrders: boolean;
  /** Fetches the poster of the farm. */
  poster: ReactNode;
}) {
  const { user } = useAuth();
  const { data: opening } = useQuery(ownOpeningQuery());
  const farmId = farmIdOf(user);
  if (!opening || farmId === undefined) return null;
  const { state, steps, reason } = opening;
  const isReady = steps.every(({ isDone }) => isDone);
  const isOpen = state === 'approved' && isReady;
  const further = (opening.further ?? []).filter(({ isSetAside }) => !isSetAside);
  const isComplete = further.every(({ isDone }) => isDone);
  if (isOpen && isComplete && hasOrders) return null;
  const mayChange = mayForFarm(user, 'changeFarm');
  return (
    <Card as="section" aria-labelledby="opening" className="mb-4 border-leaf/40">
      <CardHeader
        id="opening"
        title={
          isOpen
            ? openTitle(hasOrders, farmName)
            : state === 'waiting'
              ? t('Waiting for approval')
              : t('Before you open')
        }
        className="mb-2"
      />
      {isOpen ? (
        !hasOrders && <Open farmId={farmId} poster={poster} />
      ) : (
        <>
          <p className="max-w-prose text-sm text-ink-soft">
            {writeMessage(TEXTS[state === 'preparing' && isReady ? 'ready' : state])}
          </p>
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
              const isOwnAddress = step === 'address' && user?._id === farmId;
              const href = isOwnAddress ? '/farmer/settings#address.city' : STEPS[step].href;
              return <StepText {...STEPS[step]} href={mayChange && !isDone ? href : undefined} />;
            }}
          </StepList>
          {state !== 'approved' && <Asking {...{ farmId, state, isReady, mayChange }} />}
        </>
      )}
      {!isComplete && (
        <FurtherSteps
          all={opening.further ?? []}
          shown={hasOrders ? further.filter(({ isDone }) => !isDone) : further}
          mayChange={mayChange}
        />
      )}
    </Card>
  );
}

function openTitle(hasOrders: boolean, farm: string | undefined): string {
  if (hasOrders) return t('Still missing');
  return farm === undefined ? t('Your farm is open') : t('{farm} is open', { farm });
}

/** What a step is about; a link to where it is done, where there is something to do. */
const StepText = ({
  label,
  hint,
  href,
}: {
  label: Message;
  hint: Message;
  href: string | undefined;
}) => (
  <>
    {href === undefined ? (
      <span className="font-medium">{writeMessage(label)}</span>
    ) : (
      <Link href={href} className="link font-medium">
        {writeMessage(label)}
      </Link>
    )}
    <span className="block text-ink-soft">{writeMessage(hint)}</span>
  </>
);

/** How customers find a farm that has just opened. */
const Open = ({ farmId, poster }: { farmId: string; poster: ReactNode }) => (
  <>
    <p className="max-w-prose text-sm text-ink-soft">
      {t('Customers can order now. Tell them where: orders appear here.')}
    </p>
    <div className="mt-4 flex flex-wrap gap-3">
      <LinkButton href={`/farmers/${farmId}`}>{t('See your page')}</LinkButton>
      <CopyLinkButton to={`/farmers/${farmId}`}>{t('Copy the link')}</CopyLinkButton>
      {poster}
    </div>
  </>
);

/** Asks for approval, once nothing is missing. */
function Asking({
  farmId,
  state,
  isReady,
  mayChange,
}: {
  farmId: string;
  state: FarmOpening['state'];
  isReady: boolean;
  mayChange: boolean;
}) {
  const ask = useAskForApproval();
  return (
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
  );
}

type Further = NonNullable<FarmOpening['further']>;

/** What makes a farm complete, each with a way to say that this one does not need it. */
function FurtherSteps({
  all,
  shown,
  mayChange,
}: {
  all: Further;
  shown: Further;
  mayChange: boolean;
}) {
  const setAside = useSetAside();
  return (
    <>
      <p className="mt-5 max-w-prose text-sm text-ink-soft">
        {t('Most farms have these, too. Set aside what yours does not need.')}
      </p>
      <StepList steps={shown} className="mt-3 grid gap-x-8 gap-y-3 text-sm sm:grid-cols-3">
        {({ step, isDone }) => (
          <>
            <StepText
              {...FURTHER[step]}
              href={mayChange && !isDone ? FURTHER[step].href : undefined}
            />
            {mayChange && !isDone && (
              <Button
                variant="quiet"
                size="sm"
                className="-ms-3"
                disabled={setAside.isPending}
                aria-label={t('Not needed: {step}', { step: writeMessage(FURTHER[step].label) })}
                onClick={() =>
                  setAside.mutate([
                    ...all.filter(({ isSetAside }) => isSetAside).map((each) => each.step),
                    step,
                  ])
                }
              >
                {t('Not needed')}
              </Button>
            )}
          </>
        )}
      </StepList>
    </>
  );
}

/** Says which further steps the signed-in farmer's farm does not need. */
const useSetAside = () =>
  useCommand((steps: FurtherStep[]) => call(openingApi.setAside, { body: { steps } }), {
    onSuccess: (cache, { data }) => cache.setQueryData(openingKeys.own(), data),
  });

/** Asks admins to approve the signed-in farmer's farm. */
const useAskForApproval = () =>
  useCommand(() => call(openingApi.ask, {}), {
    onSuccess: (cache, { data }) => cache.setQueryData(openingKeys.own(), data),
    done: t('Sent. You hear from us as soon as somebody has looked.'),
  });
