import { type QueryClient, useQuery } from '@tanstack/react-query';
import { Check } from 'lucide-react';
import { type ReactNode, useId } from 'react';
import { theMarket } from '#contract/platform/market/constants';
import { type Message, msg, t, writeMessage } from '#contract/platform/text/constants/texts';
import { MarketText } from '../../admin/market/MarketText.tsx';
import { marketPageQuery } from '../../admin/market/queries.ts';
import { useMarket } from '../../platform/format/market.ts';
import { Drawing, type DrawingName } from '../../platform/ui/art/Drawing.tsx';
import { FarmLandscape } from '../../platform/ui/art/FarmLandscape.tsx';
import { Loading, Skeleton } from '../../platform/ui/feedback/states.tsx';
import { PageHeader } from '../../platform/ui/primitives/sections.tsx';
import { CallToAction } from './CallToAction.tsx';
import { hasTeam, Team } from './Team.tsx';

const steps: readonly { title: Message; text: Message; drawing: DrawingName }[] = [
  {
    title: msg('Connect'),
    text: msg(
      'Look around the farms near you. Read how they grow, see what is ripe, write to the farmer.',
    ),
    drawing: 'farm',
  },
  {
    title: msg('verb|Order'),
    text: msg(
      'Fill a cart from one farm, choose pickup or delivery, and watch the farmer accept it.',
    ),
    drawing: 'basket',
  },
  {
    title: msg('Enjoy'),
    text: msg(
      'Collect it at the gate or open your door to it. It was picked for you, not for a shelf.',
    ),
    drawing: 'parcel',
  },
];

const benefits = [
  {
    title: msg('For consumers'),
    points: [
      msg('Produce with a harvest date instead of a shelf life'),
      msg('A name, a place and an answer behind everything you eat'),
      msg('The farm’s own price, the same in the cart as on the card'),
      msg('Each step of your order as it happens'),
    ],
  },
  {
    title: msg('For farmers'),
    points: [
      msg('Your price, your hours, your way of handing over'),
      msg('New orders on your phone the moment they are placed'),
      msg('Stock that counts itself down as you sell'),
      msg('Customers who know your name and come back'),
    ],
  },
];

/** Prefetches what the admins wrote, if they did. */
export const prefetch = (
  client: QueryClient,
  _params?: unknown,
  _search?: string,
  language?: string,
) =>
  theMarket().pages.includes('about')
    ? client.prefetchQuery(marketPageQuery('about', language))
    : undefined;

/** The about page: what the admins wrote about their market, or else our own text. */
export default function AboutPage() {
  const { name, pages, teamLinks } = useMarket();
  const isOwnText = pages.includes('about');
  const { data: page, isLoading } = useQuery({
    ...marketPageQuery('about'),
    enabled: isOwnText,
  });
  if (isLoading) {
    return (
      <Loading className="wrap py-8 sm:py-12">
        <Skeleton className="h-96 max-w-prose" />
      </Loading>
    );
  }
  if (isOwnText && page) {
    return (
      <article className="wrap py-8 sm:py-12">
        <PageHeader title={page.title} />
        <MarketText body={page.body} language={page.language} />
      </article>
    );
  }
  return (
    <div className="grid gap-16 pt-8 sm:gap-24 sm:pt-14">
      <div className="wrap grid gap-10 lg:grid-cols-[1fr_1fr] lg:gap-16">
        <div className="grid content-start gap-5">
          <h1 className="text-4xl">{t('About {market}', { market: name })}</h1>
          <p className="max-w-prose text-lg text-ink-soft">
            {t('A market without a middle: the people who grow food, and the people who eat it.')}
          </p>
        </div>
        <div className="overflow-hidden rounded">
          <FarmLandscape name="Where it began" />
        </div>
      </div>

      <div className="wrap grid gap-12 md:grid-cols-2 lg:gap-16">
        <Chapter title={t('Our story')}>
          <p className="max-w-prose">
            {t(
              'It began with a table at the end of a lane. Pears in crates, a tin for the money, and a slate that said what was ripe. People drove past the supermarket to come to it, because they knew who had picked what they bought.',
            )}
          </p>
          <p className="max-w-prose">
            {t(
              'Then the lane was closed for a summer, and the slate became a list of telephone numbers, and the list became {market}. The table is still there. It has just become longer.',
              { market: name },
            )}
          </p>
        </Chapter>
        <Chapter title={t('Our mission')}>
          <p className="border-s-3 border-straw ps-5 font-display text-lg">
            {t(
              'That every farm can live from the people around it, and everybody can know the farm they eat from.',
            )}
          </p>
          <p className="max-w-prose">
            {t(
              'So we build only what brings the two closer: an honest list of what there is, an order that both sides can follow, and a line to talk on.',
            )}
          </p>
        </Chapter>
      </div>

      <section aria-labelledby="how" className="wrap">
        <h2 id="how" className="mb-8 text-3xl">
          {t('How it works')}
        </h2>
        <ol className="grid gap-8 sm:grid-cols-3 sm:gap-6">
          {steps.map(({ title, text, drawing }, index) => (
            <li
              key={title.text}
              className="grid grid-cols-[6rem_1fr] items-start gap-4 sm:grid-cols-1 sm:border-t sm:border-hairline sm:pt-6"
            >
              <Drawing name={drawing} className="size-24 sm:size-32" />
              <div className="grid gap-1.5">
                <h3 className="font-display text-lg font-semibold">
                  <span className="tabular me-2 text-ink-faint">{index + 1}</span>
                  {writeMessage(title)}
                </h3>
                <p className="max-w-sm text-ink-soft">{writeMessage(text)}</p>
              </div>
            </li>
          ))}
        </ol>
      </section>

      <section aria-labelledby="benefits" className="border-y border-hairline bg-sunken py-14">
        <div className="wrap">
          <h2 id="benefits" className="mb-8 text-3xl">
            {t('What it brings')}
          </h2>
          <div className="grid gap-10 md:grid-cols-2 lg:gap-16">
            {benefits.map(({ title, points }) => (
              <div key={title.text}>
                <h3 className="mb-3 font-display text-lg font-semibold">{writeMessage(title)}</h3>
                <ul className="divide-y divide-hairline">
                  {points.map((point) => (
                    <li key={point.text} className="flex items-start gap-3 py-3">
                      <Check className="mt-0.5 size-5 shrink-0 text-leaf" />
                      {writeMessage(point)}
                    </li>
                  ))}
                </ul>
              </div>
            ))}
          </div>
        </div>
      </section>

      {hasTeam(name) && <Team links={teamLinks} />}

      <CallToAction
        title={t('Come and see what is ripe')}
        text={t(
          'Look around first if you like. You need an account only when you order, or when you sell.',
        )}
        second={{ href: '/products', label: t('See the products') }}
      />
    </div>
  );
}

function Chapter({ title, children }: { title: string; children: ReactNode }) {
  const id = useId();
  return (
    <section aria-labelledby={id} className="grid content-start gap-4">
      <h2 id={id} className="text-3xl">
        {title}
      </h2>
      {children}
    </section>
  );
}
